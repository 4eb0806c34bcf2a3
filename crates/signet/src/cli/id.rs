//! Ids as a person types them: whole, or any prefix of at least six characters that fits one memory.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use signet_client::MemoriesAnswer;
use signet_model::Code;

use super::fail::Fail;
use super::session::Session;

/// Fewest characters of a prefix.
pub(super) const SHORTEST: usize = 6;
/// Length of an id that is not looked up.
pub(super) const WHOLE: usize = 36;

/// The whole id. `deleted` looks among forgotten memories. Ambiguous: exit 5 with the candidates.
pub(crate) fn resolve(session: &mut Session<'_>, typed: &str, deleted: Deleted) -> Result<String, Fail> {
    let typed = typed.trim();
    if typed.chars().count() >= WHOLE || !typed.chars().all(|ch| ch.is_ascii_hexdigit() || ch == '-') {
        return Ok(typed.to_owned());
    }
    if typed.len() < SHORTEST {
        return Err(Fail::usage(format!(
            "`{typed}` is too short: an id needs at least {SHORTEST} characters"
        )));
    }
    let query = [
        ("idPrefix", typed.to_owned()),
        ("limit", "10".to_owned()),
        ("deleted", if deleted == Deleted::Yes { "1".to_owned() } else { String::new() }),
    ];
    let answer = session.get("/api/memories", &query)?;
    let page: MemoriesAnswer = super::input::read(answer)?;
    let fits: Vec<_> = page.memories.into_iter().filter(|row| row.id.starts_with(typed)).collect();
    match fits.as_slice() {
        [] => Err(Fail::new(Code::NotFound, format!("no memory has an id that starts with `{typed}`"))
            .hint("`signet memory list` shows them, with --deleted the forgotten ones")),
        [one] => Ok(one.id.clone()),
        several => {
            let ids: Vec<Value> = several.iter().map(|row| json!(row.id)).collect();
            let listed: Vec<String> = several
                .iter()
                .map(|row| {
                    format!("{}  {}", row.id, super::text::cut(&super::text::one_line(&row.content), 50))
                })
                .collect();
            let message = format!("`{typed}` fits {} memories:\n  {}", several.len(), listed.join("\n  "));
            Err(Fail::new(Code::Ambiguous, message).with("candidates", Value::Array(ids)))
        }
    }
}

/// Shortest length, at least that of a time to the millisecond, at which these ids differ.
pub(crate) fn telling_length(ids: &[&str]) -> usize {
    let differ = |length: &usize| {
        let cut: BTreeSet<String> = ids.iter().map(|id| id.chars().take(*length).collect()).collect();
        cut.len() == ids.len()
    };
    (13..WHOLE).find(differ).unwrap_or(WHOLE)
}

/// Where an id is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deleted {
    /// Among live memories.
    No,
    /// Among forgotten ones.
    Yes,
}

#[cfg(test)]
mod tests {
    use super::telling_length;

    #[test]
    fn ids_of_a_page_are_cut_where_they_still_differ() {
        let (one, two) = ("01a23223-6e80-7000-a213-06cdad374af8", "01a23223-6e80-7001-a213-06cdad374af8");
        assert_eq!(telling_length(&[one]), 13);
        assert_eq!(telling_length(&[one, two]), 18);
        assert_eq!(telling_length(&[]), 13);
    }
}

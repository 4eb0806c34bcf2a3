//! Names of request fields, as a person at the command line knows them: `minScore` is `--min-score`.

use super::fail::Fail;

/// Fields whose flag has another name.
const OTHER: &[(&str, &str)] = &[
    ("ttlSeconds", "--ttl"),
    ("allowedProjects", "--project"),
    ("read_policy", "--memory"),
    ("policy_group", "--group"),
    ("sessionKey", "--session-key"),
];
/// Fields of one small word that are flags; any other small word is left as it is.
const WORDS: &[&str] = &[
    "harness",
    "connector",
    "importance",
    "limit",
    "name",
    "offset",
    "permissions",
    "project",
    "reason",
    "role",
    "scope",
    "since",
    "supersedes",
    "tags",
    "type",
    "until",
    "who",
];

/// A sentence of a refusal with the flag in the place of the field at fault.
pub(super) fn in_text(fail: &Fail, text: &str) -> String {
    let flag = fail.text("field").and_then(|field| Some((field, flag(field)?)));
    match flag {
        Some((field, flag)) => replaced(text, field, &flag),
        None => text.to_owned(),
    }
}

fn flag(field: &str) -> Option<String> {
    if let Some((_, flag)) = OTHER.iter().find(|(name, _)| *name == field) {
        return Some((*flag).to_owned());
    }
    let several = field.chars().any(|ch| ch.is_ascii_uppercase() || ch == '_');
    let plain = field.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_');
    (plain && (several || WORDS.contains(&field))).then(|| {
        field.chars().fold("--".to_owned(), |flag, ch| match ch {
            '_' => flag + "-",
            ch if ch.is_ascii_uppercase() => flag + "-" + &ch.to_ascii_lowercase().to_string(),
            ch => flag + &ch.to_string(),
        })
    })
}

/// The field where it is the subject of the sentence, or stands in backquotes.
fn replaced(text: &str, field: &str, flag: &str) -> String {
    let text = text.replace(&format!("`{field}`"), &format!("`{flag}`"));
    match text.strip_prefix(field) {
        Some(rest) if !rest.starts_with(|ch: char| ch.is_alphanumeric() || ch == '_') => {
            format!("{flag}{rest}")
        }
        Some(_) | None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use signet_model::{Code, Error};

    use super::*;

    #[test]
    fn the_field_at_fault_is_called_by_its_flag() {
        let said = |field: &str, text: &str| {
            let fail = Fail::new(Code::InvalidRequest, text).with("field", json!(field));
            in_text(&fail, text)
        };
        assert_eq!(said("minScore", "minScore must be from 0 to 1"), "--min-score must be from 0 to 1");
        assert_eq!(said("importance_min", "importance_min is bad"), "--importance-min is bad");
        assert_eq!(said("ttlSeconds", "`ttlSeconds` is too long"), "`--ttl` is too long");
        assert_eq!(said("type", "type must be a word"), "--type must be a word");
        assert_eq!(said("content", "content is empty"), "content is empty");
        assert_eq!(said("type", "typed text"), "typed text");
        let without = Fail::from(Error::not_found());
        assert_eq!(in_text(&without, "minScore"), "minScore");
    }
}

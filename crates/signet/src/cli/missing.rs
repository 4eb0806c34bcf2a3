//! What a "not found" of the daemon is about: the noun, and how to list what there is.

use serde_json::Value;

use super::fail::Fail;

/// Beginning of a path, what lies there, and the command that lists it.
const PLACES: &[(&str, &str, &str)] = &[
    ("/api/memory/", "memory", "`signet memory list` shows them, with --deleted the forgotten ones"),
    ("/api/agents/", "agent", "`signet agent list` shows them"),
    ("/api/auth/tokens/", "token", "`signet token list` shows them"),
    ("/api/auth/api-keys/", "key", "`signet api-key list` shows them"),
    ("/api/receipts/", "receipt", "`signet receipt list` shows them"),
];

/// The failure with its noun, when the daemon said no more than that something is not there.
pub(super) fn named(fail: Fail, path: &str) -> Fail {
    if fail.text("code") != Some("not_found") || fail.text("error") != Some("not found") {
        return fail;
    }
    let place = PLACES.iter().find_map(|(start, noun, list)| Some((path.strip_prefix(start)?, noun, list)));
    let Some((rest, noun, list)) = place else { return fail };
    let id = rest.split(['/', '?']).next().unwrap_or(rest);
    let fail = fail.with("error", Value::String(format!("there is no {noun} `{id}`")));
    if fail.text("hint").is_some() { fail } else { fail.hint(*list) }
}

#[cfg(test)]
mod tests {
    use signet_model::{Code, Error};

    use super::*;

    #[test]
    fn a_bare_not_found_gets_its_noun_and_a_way_to_list() {
        let bare = || Fail::from(Error::not_found());
        let said = named(bare(), "/api/agents/ghost?purge=true");
        assert_eq!(said.text("error"), Some("there is no agent `ghost`"));
        assert_eq!(said.text("hint"), Some("`signet agent list` shows them"));
        assert_eq!(said.exit, 4);
        assert_eq!(named(bare(), "/api/elsewhere/x"), bare());
        let other = Fail::new(Code::NotFound, "no key `x`");
        assert_eq!(named(other.clone(), "/api/agents/x"), other);
    }
}

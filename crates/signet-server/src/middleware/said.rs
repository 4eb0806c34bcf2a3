//! What a request says beside its body: the `x-signet-*` headers.

use axum::http::HeaderMap;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use signet_model::{ActorKind, Code, Error, Ids};

use crate::field::spelling;

const REQUEST_ID_MAX: usize = 128;
const SESSION_KEY_MAX: usize = 256;
const SESSION_ID_MAX: usize = 256;
/// Most characters of a claimed name.
const CLAIM_MAX: usize = 128;

/// Headers that decide what a request does.
const DECIDING: [&str; 9] = [
    "x-signet-agent-id",
    "x-signet-session-key",
    "x-signet-session-id",
    "x-signet-actor",
    "x-signet-actor-type",
    "x-signet-reason",
    "x-signet-runtime-path",
    "x-signet-timezone",
    "idempotency-key",
];

/// The text of a header, in UTF-8; one that is not readable text counts as absent (see [`check`]).
pub fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    std::str::from_utf8(headers.get(name)?.as_bytes()).ok().map(str::trim).filter(|text| !text.is_empty())
}

/// 400 for a deciding header that does not read, or that is sent twice with two values: taken as absent,
/// or half of it, it would lead the request to somewhere its caller did not mean.
pub fn check(headers: &HeaderMap) -> Result<(), Error> {
    for name in DECIDING {
        let mut values = headers.get_all(name).iter();
        let Some(first) = values.next() else { continue };
        let read = std::str::from_utf8(first.as_bytes());
        if read.map_or(true, |text| text.chars().any(char::is_control)) {
            return Err(Error::field(name, format!("{name} must be UTF-8 text without control characters")));
        }
        if values.any(|value| value != first) {
            let mut error =
                Error::new(Code::ConflictingFields, format!("{name} is sent twice with different values"));
            error.field = Some(name.to_owned());
            return Err(error);
        }
    }
    Ok(())
}

/// The kind of writer that the caller says it is, in any case of letters. A word that is none is refused:
/// passed over, a machine that misspells its kind would count as a person.
pub fn actor_kind(headers: &HeaderMap) -> Result<Option<ActorKind>, Error> {
    const NAME: &str = "x-signet-actor-type";
    const KINDS: [ActorKind; 5] =
        [ActorKind::Operator, ActorKind::Pipeline, ActorKind::Harness, ActorKind::Sdk, ActorKind::Daemon];
    let Some(word) = header(headers, NAME) else { return Ok(None) };
    let known = KINDS.into_iter().find(|kind| word.eq_ignore_ascii_case(kind.as_str()));
    known.map(Some).ok_or_else(|| {
        let words = KINDS.map(ActorKind::as_str).join(", ");
        Error::field(NAME, format!("{NAME} must be one of: {words}"))
    })
}

/// The free name that the caller gives itself, of the header, else `changedBy` of body or query.
pub fn claimed_name<'a>(
    headers: &'a HeaderMap,
    body: &'a Map<String, Value>,
    query: &'a [(String, String)],
) -> Result<Option<&'a str>, Error> {
    match header(headers, "x-signet-actor") {
        Some(name) => at_most("x-signet-actor", name, CLAIM_MAX).map(Some),
        None => loose("changedBy", body, query)
            .first()
            .map(|name| at_most("changedBy", name, CLAIM_MAX))
            .transpose(),
    }
}

/// The id of the session, for the audit trail.
pub fn session_id(headers: &HeaderMap) -> Result<Option<String>, Error> {
    const NAME: &str = "x-signet-session-id";
    header(headers, NAME).map(|id| at_most(NAME, id, SESSION_ID_MAX).map(str::to_owned)).transpose()
}

fn at_most<'a>(name: &str, text: &'a str, most: usize) -> Result<&'a str, Error> {
    if text.chars().count() <= most {
        return Ok(text);
    }
    Err(Error::field(name, format!("{name} must be at most {most} characters long")))
}

/// The caller's request id when it is a plain one, else a new one.
pub fn request_id(headers: &HeaderMap, ids: &Ids) -> String {
    match header(headers, "x-signet-request-id") {
        Some(id) if id.len() <= REQUEST_ID_MAX && signet_model::id::is_id(id) => id.to_owned(),
        _ => ids.mint(),
    }
}

/// Zone for zone-less times: the caller's, else `own`. A name that is no zone is refused.
pub fn zone(headers: &HeaderMap, own: &TimeZone) -> Result<TimeZone, Error> {
    let Some(name) = header(headers, "x-signet-timezone") else { return Ok(own.clone()) };
    TimeZone::get(name).map_err(|_| {
        Error::field("x-signet-timezone", "x-signet-timezone must be an IANA zone such as Europe/Berlin")
    })
}

/// A text that body or query may carry whatever the route's fields are; empty ones do not count.
pub fn loose<'a>(name: &str, body: &'a Map<String, Value>, query: &'a [(String, String)]) -> Vec<&'a str> {
    let of_body =
        body.iter().filter(|(key, _)| spelling::same(name, key)).filter_map(|(_, value)| value.as_str());
    let of_query = query.iter().filter(|(key, _)| spelling::same(name, key)).map(|(_, value)| value.as_str());
    of_body.chain(of_query).map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// The session key of body, query and header, which must agree.
pub fn session_key(
    headers: &HeaderMap,
    body: &Map<String, Value>,
    query: &[(String, String)],
) -> Result<Option<String>, Error> {
    let named = loose("sessionKey", body, query);
    let sent = header(headers, "x-signet-session-key");
    if let (Some(sent), Some(first)) = (sent, named.first())
        && sent != *first
    {
        let mut error =
            Error::new(Code::ConflictingFields, "session_key conflicts with x-signet-session-key");
        error.field = Some("sessionKey".to_owned());
        return Err(error);
    }
    let key = named.first().copied().or(sent);
    if key.is_some_and(|key| key.chars().count() > SESSION_KEY_MAX || key.chars().any(char::is_control)) {
        let rule =
            format!("sessionKey must be at most {SESSION_KEY_MAX} characters without control characters");
        return Err(Error::field("sessionKey", rule));
    }
    Ok(key.map(str::to_owned))
}

/// `plugin` or `legacy`; other words are ignored.
pub fn runtime_path(
    headers: &HeaderMap,
    body: &Map<String, Value>,
    query: &[(String, String)],
) -> Option<String> {
    let named = loose("runtimePath", body, query).into_iter().next();
    let word = named.or_else(|| header(headers, "x-signet-runtime-path"))?;
    matches!(word, "plugin" | "legacy").then(|| word.to_owned())
}

/// The reason of body or query, else of the header.
pub fn reason(headers: &HeaderMap, body: &Map<String, Value>, query: &[(String, String)]) -> Option<String> {
    let named = loose("reason", body, query).into_iter().next();
    named.or_else(|| header(headers, "x-signet-reason")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn sent(name: &'static str, value: &[u8]) -> HeaderMap {
        HeaderMap::from_iter([(
            name.parse().expect("a name"),
            HeaderValue::from_bytes(value).expect("a value"),
        )])
    }

    #[test]
    fn a_header_that_does_not_read_is_refused_by_its_name() {
        for name in DECIDING {
            assert_eq!(check(&sent(name, b"caf\xe9")).expect_err("latin-1").field.as_deref(), Some(name));
            assert_eq!(
                check(&sent(name, "a\u{85}b".as_bytes())).expect_err("control").code,
                Code::InvalidRequest
            );
            assert_eq!(check(&sent(name, "caf\u{e9}".as_bytes())), Ok(()));
        }
        assert_eq!(
            header(&sent("x-signet-reason", "caf\u{e9}".as_bytes()), "x-signet-reason"),
            Some("caf\u{e9}")
        );
    }

    #[test]
    fn a_header_is_sent_once_or_with_one_value() {
        let mut headers = sent("x-signet-agent-id", b"mira");
        headers.append("x-signet-agent-id", HeaderValue::from_static("mira"));
        assert_eq!(check(&headers), Ok(()));
        headers.append("x-signet-agent-id", HeaderValue::from_static("zoe"));
        assert_eq!(check(&headers).expect_err("two").code, Code::ConflictingFields);
    }

    #[test]
    fn the_kind_of_writer_is_one_of_the_words_in_any_case() {
        let kind = |word: &str| actor_kind(&sent("x-signet-actor-type", word.as_bytes()));
        assert_eq!(kind("SDK"), Ok(Some(ActorKind::Sdk)));
        assert_eq!(kind("Harness"), Ok(Some(ActorKind::Harness)));
        assert_eq!(kind(""), Ok(None));
        let refused = kind("zz").expect_err("no such kind");
        let expect = "x-signet-actor-type must be one of: operator, pipeline, harness, sdk, daemon";
        assert_eq!((refused.code, refused.message.as_str()), (Code::InvalidRequest, expect));
    }

    #[test]
    fn names_and_sessions_of_the_audit_trail_have_their_length() {
        let (body, name) = (Map::new(), "x".repeat(128));
        let headers = sent("x-signet-actor", name.as_bytes());
        assert_eq!(claimed_name(&headers, &body, &[]), Ok(Some(name.as_str())));
        let headers = sent("x-signet-actor", &[b'x'; 129]);
        assert!(claimed_name(&headers, &body, &[]).is_err());
        let long = [("changed_by".to_owned(), "x".repeat(129))];
        let refused = claimed_name(&HeaderMap::new(), &body, &long).expect_err("too long");
        assert_eq!(refused.field.as_deref(), Some("changedBy"));
        assert_eq!(session_id(&sent("x-signet-session-id", &[b'x'; 256])), Ok(Some("x".repeat(256))));
        assert!(session_id(&sent("x-signet-session-id", &[b'x'; 257])).is_err());
    }
}

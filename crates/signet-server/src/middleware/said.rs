//! What a request says beside its body: the `x-signet-*` headers (http-api.md §2).

use axum::http::HeaderMap;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use signet_model::{Code, Error, Ids};

use crate::field::spelling;

const REQUEST_ID_MAX: usize = 128;
const SESSION_KEY_MAX: usize = 256;

/// The text of a header; one that is not readable text counts as absent.
pub fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim).filter(|text| !text.is_empty())
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

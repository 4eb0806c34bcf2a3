//! The one place where a refusal becomes an HTTP answer.

use axum::Json;
use axum::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use signet_model::{Code, Detail, Error, ErrorKind, Timestamp};

/// JSON body of a refusal: `error`, `code`, then what it has of `hint`, `field` and details.
pub fn body(error: &Error) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("error".to_owned(), error.message.clone().into());
    body.insert("code".to_owned(), error.code.as_str().into());
    if let Some(hint) = &error.hint {
        body.insert("hint".to_owned(), hint.clone().into());
    }
    if let Some(field) = &error.field {
        body.insert("field".to_owned(), field.clone().into());
    }
    for (key, detail) in &error.details {
        body.insert((*key).to_owned(), value(detail));
    }
    body
}

fn value(detail: &Detail) -> Value {
    match detail {
        Detail::Text(text) => text.clone().into(),
        Detail::Number(number) => (*number).into(),
        Detail::Flag(flag) => (*flag).into(),
        Detail::List(texts) => texts.clone().into(),
    }
}

/// The answer of a refusal. `now` turns an instant to wait for into seconds.
pub fn response(error: &Error, now: Timestamp) -> Response {
    let status =
        StatusCode::from_u16(error.kind().http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(Value::Object(body(error)))).into_response();
    let headers = response.headers_mut();
    if error.kind() == ErrorKind::Unauthenticated {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = retry_after(error, now) {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(allow) = allow(error) {
        headers.insert(ALLOW, allow);
    }
    response
}

/// Whole seconds until the same call may go through; `None` when waiting is no help or no 429 or 503.
fn retry_after(error: &Error, now: Timestamp) -> Option<u64> {
    let until = error.details.iter().find_map(|(key, detail)| match (key, detail) {
        (&"retryAfter", Detail::Number(millis)) => Some(*millis),
        _ => None,
    });
    match error.kind() {
        ErrorKind::RateLimited => {
            let wait = until.map_or(60_000, |until| until - now.millis());
            Some(u64::try_from((wait + 999).div_euclid(1000).max(1)).unwrap_or(1))
        }
        ErrorKind::Busy => Some(1),
        ErrorKind::Unavailable => Some(5),
        // Stays so until someone changes it: ask again, but seldom.
        ErrorKind::Refused => Some(60),
        ErrorKind::Invalid
        | ErrorKind::TooLarge
        | ErrorKind::UnsupportedMedia
        | ErrorKind::MethodNotAllowed
        | ErrorKind::Unauthenticated
        | ErrorKind::Forbidden
        | ErrorKind::NotFound
        | ErrorKind::Conflict
        | ErrorKind::Gone
        | ErrorKind::Unsupported
        | ErrorKind::Provider
        | ErrorKind::Timeout
        | ErrorKind::Corrupt
        | ErrorKind::Internal => None,
    }
}

fn allow(error: &Error) -> Option<HeaderValue> {
    let allowed = error.details.iter().find_map(|(key, detail)| match (key, detail) {
        (&"allow", Detail::List(methods)) => Some(methods.join(", ")),
        _ => None,
    });
    if error.code == Code::MethodNotAllowed { HeaderValue::from_str(&allowed?).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_holds_what_the_refusal_holds() {
        let bare = Error::not_found();
        assert_eq!(
            Value::Object(body(&bare)),
            serde_json::json!({"error": "not found", "code": "not_found"})
        );
        let full = Error::field("limit", "limit must be a number")
            .hint("send a number")
            .with("count", Detail::Number(3))
            .with("ids", Detail::List(vec!["a".to_owned()]))
            .because("secret cause");
        let expect = serde_json::json!({
            "error": "limit must be a number", "code": "invalid_request", "hint": "send a number",
            "field": "limit", "count": 3, "ids": ["a"],
        });
        assert_eq!(Value::Object(body(&full)), expect);
    }

    #[test]
    fn every_429_and_503_says_when_to_come_again_and_every_401_how_to_log_in() {
        for code in Code::ALL {
            let response = response(&Error::new(*code, "x"), Timestamp::from_millis(0));
            let status = response.status().as_u16();
            assert_eq!(status, code.kind().http_status(), "{code:?}");
            assert_eq!(response.headers().contains_key(RETRY_AFTER), matches!(status, 429 | 503), "{code:?}");
            assert_eq!(response.headers().contains_key(WWW_AUTHENTICATE), status == 401, "{code:?}");
        }
    }

    #[test]
    fn the_wait_is_in_whole_seconds_rounded_up() {
        let limited = Error::new(Code::RateLimited, "x").with("retryAfter", Detail::Number(10_001));
        let response = response(&limited, Timestamp::from_millis(8_000));
        assert_eq!(response.headers()[RETRY_AFTER], "3");
    }

    #[test]
    fn an_internal_error_tells_nothing() {
        let text = Value::Object(body(&Error::internal("SELECT * FROM secrets"))).to_string();
        assert!(!text.contains("SELECT"), "{text}");
    }
}

//! The body of a request: its limit, its type, its JSON.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};
use signet_model::text::repair;
use signet_model::{Code, Detail, Error};

/// Objects and arrays in one another, the body itself counted: what the JSON reader takes.
const DEPTH_MAX: usize = 127;

/// 413 when the announced length is above the limit: nothing is read then.
pub fn check_announced(headers: &HeaderMap, limit: usize) -> Result<(), Error> {
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) { Err(too_large(limit)) } else { Ok(()) }
}

/// A browser may send JSON only: other types go out without asking us first.
pub fn check_type(headers: &HeaderMap, bytes: &Bytes) -> Result<(), Error> {
    let sent = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = sent.split(';').next().unwrap_or("").trim();
    if bytes.is_empty() || essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Error::new(Code::UnsupportedMediaType, "content-type must be application/json"))
}

/// Reads at most `limit` bytes, else 413; a body that does not come in time is refused.
pub async fn read(body: Body, limit: usize, patience: Duration) -> Result<Bytes, Error> {
    match tokio::time::timeout(patience, Limited::new(body, limit).collect()).await {
        Err(_) => {
            let seconds = patience.as_secs();
            Err(Error::new(Code::InvalidRequest, format!("the body did not come within {seconds} s")))
        }
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(limit)),
        Ok(Err(error)) => {
            Err(Error::new(Code::InvalidRequest, "the body could not be read to its end").because(error))
        }
    }
}

/// The JSON object of a body; nothing counts as `{}`. Half surrogate pairs are repaired first.
pub fn parse(bytes: &[u8]) -> Result<Map<String, Value>, Error> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_slice(&repair::json_body(bytes)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::new(Code::InvalidJson, "the body must be a JSON object")),
        // The reader says so in words only.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => {
            let place = format!("line {}, column {}", error.line(), error.column());
            let sentence = format!("the body is nested deeper than {DEPTH_MAX} levels ({place})");
            Err(Error::new(Code::InvalidJson, sentence))
        }
        Err(error) => {
            let place = format!("the body is not JSON (line {}, column {})", error.line(), error.column());
            Err(Error::new(Code::InvalidJson, place))
        }
    }
}

fn too_large(limit: usize) -> Error {
    Error::new(Code::BodyTooLarge, format!("the body is larger than {limit} bytes"))
        .with("limitBytes", Detail::Number(i64::try_from(limit).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_an_empty_object_and_other_values_are_not_objects() {
        assert_eq!(parse(b" \n"), Ok(Map::new()));
        assert_eq!(parse(b"{\"a\":1}").expect("object").len(), 1);
        for bytes in [&b"[]"[..], b"1", b"null", b"{", b"{\"a\":\"\xff\"}", b"{}x", b"\xef\xbb\xbf"] {
            assert_eq!(parse(bytes).expect_err("refused").code, Code::InvalidJson, "{bytes:?}");
        }
    }

    #[test]
    fn half_surrogates_and_nul_are_repaired_not_refused() {
        let body = parse(br#"{"content":"a\ud800b\u0000"}"#).expect("repaired");
        assert_eq!(body["content"], "a\0b\0");
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow() {
        let nested = |arrays: usize| {
            let text = format!("{{\"a\":{}1{}}}", "[".repeat(arrays), "]".repeat(arrays));
            parse(text.as_bytes()).map(drop)
        };
        assert_eq!(nested(DEPTH_MAX - 1), Ok(()));
        for arrays in [DEPTH_MAX, 100_000] {
            let refused = nested(arrays).expect_err("refused");
            assert_eq!(refused.code, Code::InvalidJson);
            assert!(
                refused.message.starts_with("the body is nested deeper than 127 levels"),
                "{}",
                refused.message
            );
        }
    }

    #[tokio::test]
    async fn a_body_above_its_limit_is_413_whether_announced_or_not() {
        let minute = Duration::from_mins(1);
        let error = read(Body::from("12345"), 4, minute).await.expect_err("too large");
        assert_eq!(
            (error.code, error.details),
            (Code::BodyTooLarge, vec![("limitBytes", Detail::Number(4))])
        );
        assert_eq!(read(Body::from("1234"), 4, minute).await.expect("fits"), "1234");
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_LENGTH, 5.into());
        assert!(check_announced(&headers, 4).is_err());
        assert!(check_announced(&headers, 5).is_ok());
    }
}

//! CORS answers, for allowed origins only. Credentials and private networks are never offered.

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method};

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
const HEADERS: &str = "authorization, content-type, idempotency-key, last-event-id, x-signet-agent-id, \
    x-signet-session-key, x-signet-session-id, x-signet-request-id, x-signet-runtime-path, x-signet-actor, \
    x-signet-actor-type, x-signet-reason, x-signet-no-hooks, x-signet-event-id, x-signet-timezone";

/// Whether this is a browser's question before the real request.
pub fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Headers of a preflight's 204.
pub fn preflight(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(HEADERS));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
}

/// Headers of every answer to an allowed origin.
pub fn answer(headers: &mut HeaderMap, origin: &HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers
        .insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("x-signet-request-id, retry-after"));
    headers.append(VARY, HeaderValue::from_static("Origin"));
}

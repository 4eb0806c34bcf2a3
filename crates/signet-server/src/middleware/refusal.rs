//! What a refused call leaves in the audit file.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use signet_model::{Detail, Error, ErrorKind};

use super::access::Trail;
use super::link::Link;
use super::said::header;
use crate::AppState;
use crate::auth::denials::Denial;

const HEADER_MAX: usize = 200;

/// Notes refusals of credential, right, scope, site and limit; writes what is due.
pub async fn note(state: &AppState, trail: &Trail, (headers, link): (&HeaderMap, Link), error: &Error) {
    if !matches!(error.kind(), ErrorKind::Unauthenticated | ErrorKind::Forbidden | ErrorKind::RateLimited) {
        return;
    }
    let short = |text: &str| text.chars().take(HEADER_MAX).collect::<String>();
    let about = error.details.iter().find_map(|(key, detail)| match (key, detail) {
        (&"permission", Detail::Text(text)) => Some(text.clone()),
        _ => None,
    });
    let lines = state.gate.denials.note(Denial {
        time: state.clock.now(),
        request_id: trail.request_id.clone(),
        code: error.code.as_str(),
        status: error.kind().http_status(),
        method: short(&trail.method),
        route: trail.template,
        peer: link.peer_ip(),
        host: header(headers, HOST.as_str()).map(short),
        origin: header(headers, ORIGIN.as_str()).map(short),
        principal: trail.subject.clone(),
        about,
        count: 1,
    });
    write(state, lines).await;
}

/// Writes lines away from the runtime's threads.
pub async fn write(state: &AppState, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    let denials = state.gate.denials.clone();
    drop(tokio::task::spawn_blocking(move || denials.write(&lines)).await);
}

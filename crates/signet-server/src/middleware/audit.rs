//! What refused calls, and administration that went through, leave in the audit file.

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
pub async fn note_refusal(state: &AppState, trail: &Trail, from: (&HeaderMap, Link), error: &Error) {
    if !matches!(error.kind(), ErrorKind::Unauthenticated | ErrorKind::Forbidden | ErrorKind::RateLimited) {
        return;
    }
    let about = error.details.iter().find_map(|(key, detail)| match (key, detail) {
        (&"permission", Detail::Text(text)) => Some(text.clone()),
        _ => None,
    });
    let outcome = (error.code.as_str(), error.kind().http_status());
    let lines = state.gate.denials.note(Denial { about, ..line(state, trail, from, outcome) });
    write(state, lines).await;
}

/// Notes a change made with the admin permission, at once and uncounted: each is a line of its own.
pub async fn note_administration(state: &AppState, trail: &Trail, from: (&HeaderMap, Link), status: u16) {
    if trail.administers {
        let line = serde_json::to_string(&line(state, trail, from, ("ok", status)));
        write(state, line.into_iter().collect()).await;
    }
}

fn line(
    state: &AppState,
    trail: &Trail,
    (headers, link): (&HeaderMap, Link),
    (code, status): (&'static str, u16),
) -> Denial {
    let short = |text: &str| text.chars().take(HEADER_MAX).collect::<String>();
    Denial {
        time: state.clock.now(),
        request_id: trail.request_id.clone(),
        code,
        status,
        method: short(&trail.method),
        route: trail.template,
        peer: link.peer_ip(),
        host: header(headers, HOST.as_str()).map(short),
        origin: header(headers, ORIGIN.as_str()).map(short),
        principal: trail.subject.clone(),
        about: None,
        count: 1,
    }
}

/// Writes lines away from the runtime's threads.
pub async fn write(state: &AppState, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    let denials = state.gate.denials.clone();
    drop(tokio::task::spawn_blocking(move || denials.write(&lines)).await);
}

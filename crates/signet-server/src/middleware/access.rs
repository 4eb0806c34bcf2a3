//! The canonical line of a request: one per request whatever happens to it, never content.

use std::time::Instant;

use axum::http::HeaderValue;
use signet_model::Error;

use super::latency::{Latency, group};

/// What becomes known of a request on its way in.
#[derive(Debug)]
pub struct Trail {
    /// Request id.
    pub request_id: String,
    /// Method.
    pub method: String,
    /// Template of the route; `None` = no such path.
    pub template: Option<&'static str>,
    /// Subject of the principal.
    pub subject: Option<String>,
    /// Agent.
    pub agent: Option<String>,
    /// Allowed origin, for the CORS answer.
    pub origin: Option<HeaderValue>,
    /// The route changes something with the admin permission.
    pub administers: bool,
    /// Reached under an old name.
    pub deprecated: bool,
    started: Instant,
    logged: bool,
}

/// Status in the log for a client that went away before its answer (as nginx has it).
const CLIENT_GONE: u16 = 499;

impl Trail {
    /// Starts the clock of a request.
    pub fn begin(request_id: String, method: String) -> Self {
        Self {
            request_id,
            method,
            template: None,
            subject: None,
            agent: None,
            origin: None,
            administers: false,
            deprecated: false,
            started: Instant::now(),
            logged: false,
        }
    }

    /// Writes the line and counts the duration.
    pub fn end(&mut self, status: u16, error: Option<&Error>, latency: &Latency) {
        let duration_ms = self.log(status, error);
        if let Some(group) = self.template.and_then(|template| group(&self.method, template)) {
            latency.add(group, duration_ms);
        }
    }

    fn log(&mut self, status: u16, error: Option<&Error>) -> u64 {
        self.logged = true;
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let route = self.template.unwrap_or("-");
        let (subject, agent) = (self.subject.as_deref().unwrap_or("-"), self.agent.as_deref().unwrap_or("-"));
        let code = error.map_or("ok", |error| error.code.as_str());
        let (method, request_id) = (self.method.as_str(), self.request_id.as_str());
        tracing::info!(method, route, status, code, duration_ms, subject, agent, request_id, "request");
        if let Some(cause) = error.and_then(|error| error.internal.as_deref()) {
            tracing::error!(route, code, request_id, cause, "a request failed inside");
        }
        duration_ms
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        if !self.logged {
            self.log(CLIENT_GONE, None);
        }
    }
}

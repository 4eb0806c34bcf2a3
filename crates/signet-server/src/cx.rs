//! What a handler gets: principal, scope, actor, checked fields. And what it answers.

use std::sync::Arc;

use serde::Serialize;
use signet_model::{Actor, AgentScope, Error};

use crate::AppState;
use crate::input::Input;

/// One admitted request. Made by the middleware only, after credential, permission, scope and limits.
#[derive(Debug, Clone)]
pub struct Cx {
    /// Shared state.
    pub state: Arc<AppState>,
    /// Agent and restrictions of the credential.
    pub scope: AgentScope,
    /// Who acts, for the audit trail.
    pub actor: Actor,
    /// Who called, for whoami and permission questions beyond the route's own.
    pub principal: crate::state::Principal,
    /// The connection the request came over.
    pub link: crate::middleware::link::Link,
    /// Request id.
    pub request_id: String,
    /// Zone for zone-less times.
    pub zone: jiff::tz::TimeZone,
    /// `x-signet-reason`, body `reason` or query `reason`.
    pub reason: Option<String>,
    /// `x-signet-session-key` or body `sessionKey`.
    pub session_key: Option<String>,
    /// `x-signet-runtime-path` or body `runtimePath`: `plugin` or `legacy`.
    pub runtime_path: Option<String>,
    /// Path parameters, percent-decoded once and checked.
    pub path: Vec<(String, String)>,
    /// Checked fields.
    pub input: Input,
}

impl Cx {
    /// A path parameter; the route table guarantees it.
    pub fn param(&self, name: &str) -> &str {
        self.path.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    }

    /// The reason, or 400 `reason is required`.
    pub fn need_reason(&self) -> Result<&str, Error> {
        self.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()).ok_or_else(|| {
            let mut error = Error::new(signet_model::Code::ReasonRequired, "reason is required");
            error.field = Some("reason".to_owned());
            error
        })
    }
}

/// A JSON answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Body.
    pub body: serde_json::Value,
}

impl Reply {
    /// 200 with a body.
    pub fn ok(body: &impl Serialize) -> Result<Self, Error> {
        Self::with_status(200, body)
    }

    /// Another success status with a body.
    pub fn with_status(status: u16, body: &impl Serialize) -> Result<Self, Error> {
        Ok(Self { status, body: serde_json::to_value(body).map_err(Error::internal)? })
    }
}

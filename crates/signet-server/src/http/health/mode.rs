//! GET /api/mode

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use crate::config::Mode;
use crate::cx::{Cx, Reply};

/// Who needs a credential.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModeAnswer {
    /// `local`, `team` or `hybrid`.
    mode: &'static str,
    /// Whether this caller needs a credential.
    requires_auth: bool,
}

pub(super) fn mode(cx: &Cx) -> Result<Reply, Error> {
    let mode = cx.state.config.mode;
    Reply::ok(&ModeAnswer {
        mode: mode.as_str(),
        requires_auth: mode == Mode::Team || !cx.principal.authenticated,
    })
}

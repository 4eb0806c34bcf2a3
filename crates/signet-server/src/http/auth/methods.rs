//! GET /api/auth/methods

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use crate::cx::{Cx, Reply};

/// Ways to log in.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Methods {
    /// `token`, `api-key`, `handoff`.
    #[serde(rename = "methods")]
    ways: [&'static str; 3],
    /// Not provided.
    sso: bool,
    /// Not provided.
    password: bool,
}

pub(super) fn methods(_: &Cx) -> Result<Reply, Error> {
    Reply::ok(&Methods { ways: ["token", "api-key", "handoff"], sso: false, password: false })
}

//! GET /api/auth/whoami

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission, Role};

use crate::cx::{Cx, Reply};

/// Who the caller is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Whoami {
    /// A credential was good, or none is needed.
    authenticated: bool,
    /// `local`, `team` or `hybrid`.
    mode: &'static str,
    /// The caller is the person at the machine.
    trusted_local: bool,
    /// What the credential says; null for the local principal.
    claims: Option<serde_json::Value>,
    /// `full`, `scoped` or `none`.
    effective_access: &'static str,
    /// What the caller may do.
    permissions: Vec<&'static str>,
    /// Why a credential that was sent does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(super) fn whoami(cx: &Cx) -> Result<Reply, Error> {
    let principal = &cx.principal;
    let permissions: Vec<&'static str> = principal.held().into_iter().map(Permission::as_str).collect();
    let full = principal.role == Role::Admin && principal.permissions.is_none();
    let effective_access = match (principal.authenticated, full && principal.restriction.is_empty()) {
        (false, _) => "none",
        (true, true) => "full",
        (true, false) => "scoped",
    };
    let claims = principal.claims.as_ref().map(serde_json::to_value).transpose().map_err(Error::internal)?;
    Reply::ok(&Whoami {
        authenticated: principal.authenticated,
        mode: cx.state.config.mode.as_str(),
        trusted_local: principal.trusted_local,
        claims,
        effective_access,
        permissions,
        error: principal.error.clone(),
    })
}

//! DELETE /api/auth/tokens/{jti}

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::tokens::{revoke_token as revoke, scope_of};

use crate::auth::principal::Restriction;
use crate::cx::{Cx, Reply};

/// The token is refused from now on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ended {
    jti: String,
    revoked: bool,
    /// It was revoked before.
    already_revoked: bool,
    /// Tokens renewed from it, which end with it.
    renewed: Vec<String>,
}

pub(super) async fn revoke_token(cx: Cx) -> Result<Reply, Error> {
    let jti = cx.param("jti").to_owned();
    let id = jti.clone();
    let own = cx.principal.restriction.clone();
    let done = cx.state.writer.write(move |tx| match scope_of(&tx.as_read(), &id)? {
        Some(scope) if own.holds(&Restriction::of(&scope)) => revoke(tx, &id),
        // A token beyond the caller's own restriction is not there.
        _ => Ok(None),
    });
    let done = done.await?;
    let ended = done.ok_or_else(Error::not_found)?;
    for id in std::iter::once(&jti).chain(&ended) {
        cx.state.gate.registry.revoke_token(id);
    }
    let already_revoked = !ended.contains(&jti);
    let renewed = ended.into_iter().filter(|id| *id != jti).collect();
    Reply::ok(&Ended { jti, revoked: true, already_revoked, renewed })
}

//! DELETE /api/auth/tokens/{jti}

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::tokens::revoke_token as revoke;

use crate::cx::{Cx, Reply};

/// The token is refused from now on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ended {
    jti: String,
    revoked: bool,
    /// It was revoked before.
    already_revoked: bool,
}

pub(super) async fn revoke_token(cx: Cx) -> Result<Reply, Error> {
    let jti = cx.param("jti").to_owned();
    let id = jti.clone();
    let done = cx.state.writer.write(move |tx| revoke(tx, &id)).await?;
    let fresh = done.ok_or_else(Error::not_found)?;
    cx.state.gate.registry.revoke_token(&jti);
    Reply::ok(&Ended { jti, revoked: true, already_revoked: !fresh })
}

//! DELETE /api/auth/api-keys/{id}

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::keys::revoke_key as revoke;

use super::key_answer::KeyAnswer;
use crate::auth::principal::Restriction;
use crate::cx::{Cx, Reply};

/// The key is refused from now on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Revoked {
    api_key: KeyAnswer,
}

pub(super) async fn revoke_key(cx: Cx) -> Result<Reply, Error> {
    let named = cx.param("id").to_owned();
    let own = cx.principal.restriction.clone();
    // A key beyond the caller's own restriction is not there.
    let revoked = cx
        .state
        .writer
        .write(move |tx| revoke(tx, &named, |row| own.holds(&Restriction::of_key(row))))
        .await?;
    let row = revoked.ok_or_else(Error::not_found)?;
    let answer = Revoked { api_key: KeyAnswer::of(&row)? };
    cx.state.gate.registry.put_key(row);
    Reply::ok(&answer)
}

//! DELETE /api/auth/api-keys/{id}

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::keys::revoke_key as revoke;

use super::key_answer::KeyAnswer;
use crate::cx::{Cx, Reply};

/// The key is refused from now on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Revoked {
    api_key: KeyAnswer,
}

pub(super) async fn revoke_key(cx: Cx) -> Result<Reply, Error> {
    let named = cx.param("id").to_owned();
    let row = cx.state.writer.write(move |tx| revoke(tx, &named)).await?.ok_or_else(Error::not_found)?;
    let answer = Revoked { api_key: KeyAnswer::of(&row)? };
    cx.state.gate.registry.put_key(row);
    Reply::ok(&answer)
}

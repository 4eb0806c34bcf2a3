//! GET /api/auth/api-keys

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::keys::list_keys as list;

use super::key_answer::KeyAnswer;
use crate::auth::principal::Restriction;
use crate::cx::{Cx, Reply};

/// API keys, newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Keys {
    api_keys: Vec<KeyAnswer>,
}

pub(super) async fn list_keys(cx: Cx) -> Result<Reply, Error> {
    let mut rows = cx.state.reader.read(list).await?;
    rows.retain(|row| cx.principal.restriction.holds(&Restriction::of_key(row)));
    Reply::ok(&Keys { api_keys: rows.iter().map(KeyAnswer::of).collect::<Result<_, _>>()? })
}

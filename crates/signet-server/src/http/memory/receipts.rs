//! GET /api/receipts and GET /api/receipts/{id}: what was removed from where.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use signet_model::{Error, Permission};
use signet_store::audit::receipt::{self, Receipt};

use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const LIST: Route = Route {
    fields: &[Field::new("limit", Kind::Clamped { default: 50, min: 1, max: 200 }, "Most receipts.")],
    ..route(
        Verb::Get,
        "/api/receipts",
        Access::Needs(Permission::Admin),
        |cx| Box::pin(list(cx)),
        schema::<ReceiptList>,
        "Receipts of removals, newest first; none for a credential restricted to a project or user.",
    )
};

pub(super) const ONE: Route = route(
    Verb::Get,
    "/api/receipts/{id}",
    Access::Needs(Permission::Admin),
    |cx| Box::pin(one(cx)),
    schema::<ReceiptWire>,
    "One receipt.",
);

#[derive(Debug, Serialize, JsonSchema)]
struct ReceiptList {
    receipts: Vec<ReceiptWire>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReceiptWire {
    id: String,
    mode: String,
    actor: String,
    reason: String,
    created_at: String,
    /// Ids, hashes, stores and counts; never a text.
    receipt: Value,
}

impl From<Receipt> for ReceiptWire {
    fn from(receipt: Receipt) -> Self {
        Self {
            id: receipt.id,
            mode: receipt.mode,
            actor: receipt.actor,
            reason: receipt.reason,
            created_at: receipt.created_at,
            receipt: receipt.body,
        }
    }
}

/// A receipt does not tell the project or the user of what was removed, so that only a credential which
/// reaches the whole agent sees it.
fn reaches_all(cx: &Cx) -> bool {
    cx.principal.restriction.within_agent().is_none()
}

async fn list(cx: Cx) -> Result<Reply, Error> {
    if !reaches_all(&cx) {
        return Reply::ok(&ReceiptList { receipts: Vec::new() });
    }
    let (agent, limit) = (cx.scope.agent().clone(), cx.input.int("limit").unwrap_or(50));
    let found = cx.state.reader.read(move |tx| receipt::list(tx, &agent, limit)).await?;
    Reply::ok(&ReceiptList { receipts: found.into_iter().map(ReceiptWire::from).collect() })
}

async fn one(cx: Cx) -> Result<Reply, Error> {
    if !reaches_all(&cx) {
        return Err(Error::not_found());
    }
    let (agent, id) = (cx.scope.agent().clone(), cx.param("id").to_owned());
    let found = cx.state.reader.read(move |tx| receipt::find(tx, &agent, &id)).await?;
    Reply::ok(&ReceiptWire::from(found.ok_or_else(Error::not_found)?))
}

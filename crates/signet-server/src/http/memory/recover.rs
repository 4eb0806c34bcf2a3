//! POST /api/memory/{id}/recover.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::memory::forget::RETENTION_DAYS;
use signet_model::{Error, Permission};
use signet_store::evidence::memory::recover::recover as store;

use super::fields::{IF_VERSION, REASON, id, warrant};
use super::frozen;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    rate: Rate::Recover,
    fields: &[REASON, IF_VERSION],
    ..route(
        Verb::Post,
        "/api/memory/{id}/recover",
        Access::Needs(Permission::Recover),
        |cx| Box::pin(recover(cx)),
        schema::<RecoveredWire>,
        "Takes a forgotten memory back, within 30 days.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RecoveredWire {
    id: String,
    /// `recovered`.
    status: &'static str,
    current_version: i64,
    new_version: i64,
    retention_days: i64,
}

async fn recover(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let (warrant, id) = (warrant(&cx)?, id(&cx));
    let (scope, actor) = (cx.scope.clone(), cx.actor.clone());
    let recovered = cx.state.writer.write(move |tx| store(tx, &scope, &actor, &id, &warrant)).await?;
    cx.state.tracker.wake();
    Reply::ok(&RecoveredWire {
        id: recovered.id.to_string(),
        status: "recovered",
        current_version: recovered.versions.current,
        new_version: recovered.versions.new,
        retention_days: RETENTION_DAYS,
    })
}

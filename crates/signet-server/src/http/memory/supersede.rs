//! POST /api/memories/{id}/supersede.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, MemoryId, Permission};
use signet_store::evidence::memory::supersede::supersede as store;

use super::fields::{IF_VERSION, REASON, id, warrant};
use super::frozen;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    rate: Rate::Modify,
    fields: &[
        Field::new("supersededBy", Kind::Id, "The memory that replaces it.")
            .required("supersededBy is required"),
        REASON,
        IF_VERSION,
    ],
    ..route(
        Verb::Post,
        "/api/memories/{id}/supersede",
        Access::Needs(Permission::Modify),
        |cx| Box::pin(supersede(cx)),
        schema::<SupersededWire>,
        "Marks a memory as replaced by another.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SupersededWire {
    id: String,
    /// `superseded`.
    status: &'static str,
    superseded_by: String,
    current_version: i64,
    new_version: i64,
}

async fn supersede(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let (warrant, id) = (warrant(&cx)?, id(&cx));
    let by = MemoryId::from(cx.input.text("supersededBy").unwrap_or_default());
    let (scope, actor) = (cx.scope.clone(), cx.actor.clone());
    let done = cx.state.writer.write(move |tx| store(tx, &scope, &actor, (&id, &by), &warrant)).await?;
    Reply::ok(&SupersededWire {
        id: done.id.to_string(),
        status: "superseded",
        superseded_by: done.by.to_string(),
        current_version: done.versions.current,
        new_version: done.versions.new,
    })
}

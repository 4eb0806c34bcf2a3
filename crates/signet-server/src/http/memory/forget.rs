//! DELETE /api/memory/{id}, and its older form POST /api/memories/{id}/tombstone.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::memory::outcome::Forgotten;
use signet_model::{Error, Permission};
use signet_store::evidence::memory::forget::forget as store;

use super::fields::{FORCE, IF_VERSION, REASON, force, id, warrant};
use super::frozen;
use crate::cx::{Cx, Reply};
use crate::field::Field;
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

const FIELDS: &[Field] = &[REASON, FORCE, IF_VERSION];

pub(super) const ROUTE: Route = Route {
    rate: Rate::Forget,
    fields: FIELDS,
    ..route(
        Verb::Delete,
        "/api/memory/{id}",
        Access::Needs(Permission::Forget),
        |cx| Box::pin(forget(cx)),
        schema::<ForgottenWire>,
        "Forgets a memory; a person can take it back for 30 days.",
    )
};

pub(super) const TOMBSTONE: Route =
    Route { method: Verb::Post, path: "/api/memories/{id}/tombstone", ..ROUTE };

/// A forget that went through.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ForgottenWire {
    id: String,
    /// `deleted`.
    status: &'static str,
    current_version: i64,
    new_version: i64,
    recoverable_until: String,
}

impl From<Forgotten> for ForgottenWire {
    fn from(forgotten: Forgotten) -> Self {
        Self {
            id: forgotten.id.to_string(),
            status: "deleted",
            current_version: forgotten.versions.current,
            new_version: forgotten.versions.new,
            recoverable_until: forgotten.recoverable_until.to_string(),
        }
    }
}

async fn forget(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let (warrant, force, id) = (warrant(&cx)?, force(&cx), id(&cx));
    let (scope, actor) = (cx.scope.clone(), cx.actor.clone());
    let forgotten =
        cx.state.writer.write(move |tx| store(tx, &scope, &actor, (&id, force), &warrant)).await?;
    Reply::ok(&ForgottenWire::from(forgotten))
}

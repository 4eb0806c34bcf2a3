//! POST /api/memory/{id}/purge.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{AgentId, Error, MemoryId, Permission};
use signet_store::evidence::memory::purge::{
    Depth, Purge, Removed, backups_holding, purge as store, remaining,
};

use super::fields::{FORCE, REASON, force, id};
use super::frozen;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    rate: Rate::Admin,
    fields: &[
        Field::new("confirm", Kind::Text { min: 0, max: 128 }, "The id again.")
            .required("confirm must be the id of the memory"),
        Field::new("erase", Kind::Bool, "Copies and the history's texts too."),
        FORCE,
        REASON,
    ],
    ..route(
        Verb::Post,
        "/api/memory/{id}/purge",
        Access::Needs(Permission::Admin),
        |cx| Box::pin(purge(cx)),
        schema::<PurgedWire>,
        "Removes a memory for good, with a receipt.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PurgedWire {
    receipt_id: String,
    memory_id: String,
    removed: Vec<RemovedWire>,
    erased: bool,
    /// Files that still hold the row.
    backups_holding: Vec<String>,
}

/// How many rows went from a store.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct RemovedWire {
    store: &'static str,
    count: usize,
}

/// Counts in wire form.
pub(in crate::http) fn removed_wire(removed: Removed) -> Vec<RemovedWire> {
    removed.into_iter().map(|(store, count)| RemovedWire { store, count }).collect()
}

async fn purge(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let (reason, id) = (cx.need_reason()?.to_owned(), id(&cx));
    if cx.input.text("confirm") != Some(id.as_str()) {
        return Err(Error::field("confirm", "confirm must be the id of the memory"));
    }
    let depth = if cx.input.flag("erase") { Depth::Erase } else { Depth::Purge };
    let (agent, asked) = (cx.scope.agent().clone(), id.clone());
    let backups = backups(&cx, agent.clone(), id.clone()).await?;
    // Before the purge, for afterwards there is no text to search for.
    let remaining = match depth {
        Depth::Erase => cx.state.reader.read(move |tx| remaining(tx, &agent, &asked)).await?,
        Depth::Purge => Vec::new(),
    };
    let request = Purge { depth, force: force(&cx), reason, remaining, backups: backups.clone() };
    let (scope, actor, asked) = (cx.scope.clone(), cx.actor.clone(), id.clone());
    let purged = cx.state.writer.write(move |tx| store(tx, &scope, &actor, &asked, &request)).await?;
    Reply::ok(&PurgedWire {
        receipt_id: purged.receipt,
        memory_id: id.to_string(),
        removed: removed_wire(purged.removed),
        erased: depth == Depth::Erase,
        backups_holding: backups,
    })
}

async fn backups(cx: &Cx, agent: AgentId, id: MemoryId) -> Result<Vec<String>, Error> {
    let workspace = &cx.state.info.workspace.report.path;
    let folders = [workspace.join("backups"), workspace.join("memory")];
    tokio::task::spawn_blocking(move || backups_holding(&folders, &agent, &id)).await.map_err(Error::internal)
}

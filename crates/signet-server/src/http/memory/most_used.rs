//! GET /api/memories/most-used.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission};
use signet_store::evidence::memory::list::most_used as store;

use super::list::size;
use super::wire::ListedMemory;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    fields: &[Field::new("limit", Kind::Clamped { default: 6, min: 1, max: 200 }, "Most rows.")],
    ..route(
        Verb::Get,
        "/api/memories/most-used",
        Access::Needs(Permission::Recall),
        |cx| Box::pin(most_used(cx)),
        schema::<MemoryList>,
        "The memories that were recalled most often.",
    )
};

/// Rows of a short list.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MemoryList {
    pub(super) memories: Vec<ListedMemory>,
}

async fn most_used(cx: Cx) -> Result<Reply, Error> {
    let (scope, limit) = (cx.scope.clone(), size(&cx.input, "limit"));
    let page = cx.state.reader.read(move |tx| store(tx, &scope, limit)).await?;
    Reply::ok(&MemoryList { memories: page.rows.into_iter().map(ListedMemory::from).collect() })
}

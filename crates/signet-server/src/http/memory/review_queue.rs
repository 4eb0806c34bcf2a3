//! GET /api/memory/review-queue.

use signet_model::{Error, Permission};
use signet_store::evidence::memory::list::review_queue as store;

use super::list::size;
use super::most_used::MemoryList;
use super::wire::ListedMemory;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    fields: &[Field::new("limit", Kind::Clamped { default: 50, min: 1, max: 200 }, "Most rows.")],
    ..route(
        Verb::Get,
        "/api/memory/review-queue",
        Access::Needs(Permission::Recall),
        |cx| Box::pin(review_queue(cx)),
        schema::<MemoryList>,
        "Memories whose time of review is due, oldest first.",
    )
};

async fn review_queue(cx: Cx) -> Result<Reply, Error> {
    let (scope, limit, now) = (cx.scope.clone(), size(&cx.input, "limit"), cx.state.clock.now());
    let page = cx.state.reader.read(move |tx| store(tx, &scope, limit, now)).await?;
    Reply::ok(&MemoryList { memories: page.rows.into_iter().map(ListedMemory::from).collect() })
}

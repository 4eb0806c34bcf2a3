//! GET /api/repair/embedding-gaps.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission};
use signet_store::derived::work::gaps as store;

use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = route(
    Verb::Get,
    "/api/repair/embedding-gaps",
    Access::Needs(Permission::Admin),
    |cx| Box::pin(gaps(cx)),
    schema::<GapsAnswer>,
    "Live memories of the agent without a vector.",
);

#[derive(Debug, Serialize, JsonSchema)]
struct GapsAnswer {
    /// Live memories without a vector.
    unembedded: u64,
    /// Live memories.
    total: u64,
    /// Share with a vector, rounded down; `100.0%` only without a gap.
    coverage: String,
    /// Of the unembedded, those that wait for the tracker.
    pending: u64,
    /// Of the unembedded, those whose text the provider refused three times.
    quarantined: u64,
}

async fn gaps(cx: Cx) -> Result<Reply, Error> {
    let agent = cx.scope.agent().clone();
    let gaps = cx.state.reader.read(move |tx| store(tx, &agent)).await?;
    let permille = gaps.coverage_permille();
    Reply::ok(&GapsAnswer {
        unembedded: gaps.unembedded(),
        total: gaps.total,
        coverage: format!("{}.{}%", permille / 10, permille % 10),
        pending: gaps.pending,
        quarantined: gaps.quarantined,
    })
}

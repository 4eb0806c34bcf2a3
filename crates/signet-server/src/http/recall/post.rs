//! POST /api/memory/recall.

use signet_model::recall::Outcome;
use signet_model::{AgentId, Error, MemoryId};
use signet_store::evidence::memory::access::record_access;

use super::answer::{Aggregate, RecallAnswer};
use super::request;
use crate::cx::{Cx, Reply};

/// Answers a recall whose text is in the field `query`.
pub(super) async fn recall(cx: Cx) -> Result<Reply, Error> {
    answer(cx, "query").await
}

/// Answers a recall whose text is in the named field.
pub(super) async fn answer(cx: Cx, field: &'static str) -> Result<Reply, Error> {
    let request = request::request(&cx.input, field)?;
    let scope = request::scope(&cx)?;
    let outcome = cx.state.recall.recall(&scope, &request).await?;
    if counts_as_access(&cx) {
        count(&cx, &outcome);
    }
    let mut body = RecallAnswer::new(request.query, outcome);
    if cx.input.flag("aggregate") {
        body.aggregate = Some(Aggregate::unavailable(cx.input.text("aggregateBudget").unwrap_or("medium")));
    }
    if cx.input.flag("expand") {
        body.sources = Some(serde_json::Map::new());
    }
    Reply::ok(&body)
}

/// A person or a tool asked; a prompt that is filled in by itself is no access.
fn counts_as_access(cx: &Cx) -> bool {
    matches!(cx.input.text("recallSurface"), None | Some("explicit_api" | "tool_call" | "dashboard"))
}

/// Queues the access counts of the agent's own rows. The answer does not wait for them, and a failure
/// costs nothing but the count.
fn count(cx: &Cx, outcome: &Outcome) {
    let own = |agent: &AgentId| agent == cx.scope.agent();
    let recalled: Vec<(AgentId, MemoryId)> = outcome
        .hits
        .iter()
        .filter(|hit| own(&hit.memory.agent))
        .map(|hit| (hit.memory.agent.clone(), hit.memory.id.clone()))
        .collect();
    if recalled.is_empty() {
        return;
    }
    let writer = cx.state.writer.clone();
    cx.state.gate.life.tasks.spawn(async move {
        if let Err(failure) = writer.write(move |tx| record_access(tx, &recalled)).await {
            tracing::debug!(%failure, "an access was not counted");
        }
    });
}

//! POST /api/memory/remember.

pub(super) mod answer;
pub(super) mod ask;
mod json_repair;

use std::time::Duration;

use signet_model::memory::outcome::Remembered;
use signet_model::memory::{Draft, Guardrails, Prepared, prepare};
use signet_model::{AgentId, Error, Permission};
use signet_store::evidence::memory::remember::remember as store;

use super::frozen;
use crate::AppState;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Admission, Route, Verb, route};
use answer::RememberAnswer;

/// Bytes of one call.
pub(super) const BODY: usize = 8_388_608;
/// Bytes of a text that is prepared on the spot.
const SHORT: usize = 32_768;
/// How long the answer waits for the vector of an idle daemon.
const PATIENCE: Duration = Duration::from_millis(250);

pub(super) const ROUTE: Route = Route {
    aliases: &["/api/memory/save", "/api/hook/remember"],
    admission: Admission::Capture,
    body_limit: BODY,
    fields: ask::FIELDS,
    ..route(
        Verb::Post,
        "/api/memory/remember",
        Access::Needs(Permission::Remember),
        |cx| Box::pin(remember(cx)),
        schema::<RememberAnswer>,
        "Stores a memory, or finds it stored already.",
    )
};

async fn remember(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let (draft, told) = ask::read(&cx, &cx.input)?;
    let prepared = prepared(draft, cx.state.gate.live.rules().guardrails).await?;
    let stored = write(&cx, prepared).await?;
    let embedded = embed(&cx.state, cx.scope.agent(), &stored).await;
    Reply::ok(&RememberAnswer::of(stored, &told, embedded))
}

/// The rules of storing. A long text is cut and scanned on a thread of its own, so that it holds no
/// other request up.
async fn prepared(draft: Draft, guardrails: Guardrails) -> Result<Prepared, Error> {
    if draft.content.len() <= SHORT {
        return prepare(draft, guardrails);
    }
    tokio::task::spawn_blocking(move || prepare(draft, guardrails)).await.map_err(Error::internal)?
}

async fn write(cx: &Cx, prepared: Prepared) -> Result<Remembered, Error> {
    let (scope, actor) = (cx.scope.clone(), cx.actor.clone());
    Ok(cx.state.writer.write(move |tx| store(tx, &scope, &actor, &prepared)).await?)
}

/// Whether the row has its vector by now. The commit is done: this can only make the answer truer.
async fn embed(state: &AppState, agent: &AgentId, stored: &Remembered) -> bool {
    match stored {
        Remembered::One(one) if one.embedded => true,
        Remembered::One(one) => state.tracker.embed_now(agent, &one.id, PATIENCE).await,
        Remembered::Group(_) => {
            state.tracker.wake();
            false
        }
    }
}

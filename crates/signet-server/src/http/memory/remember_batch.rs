//! POST /api/memory/remember-batch.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::memory::outcome::Remembered;
use signet_model::memory::{Draft, prepare};
use signet_model::{Error, Permission};
use signet_store::evidence::memory::remember_batch::{Item, Together, remember_batch as store};

use super::frozen;
use super::remember::answer::{RememberAnswer, Told};
use super::remember::{BODY, ask};
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::openapi::schema;
use crate::route::{Access, Admission, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    admission: Admission::Capture,
    body_limit: BODY,
    fields: &[
        Field::new("items", Kind::Each { max: 100, fields: ask::FIELDS }, "1 to 100 memories.")
            .required("items[] is required"),
        Field::new("atomic", Kind::Bool, "Store all or none."),
    ],
    ..route(
        Verb::Post,
        "/api/memory/remember-batch",
        Access::Needs(Permission::Remember),
        |cx| Box::pin(remember_batch(cx)),
        schema::<RememberedBatch>,
        "Stores many memories in one commit.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
struct RememberedBatch {
    results: Vec<IndexedResult>,
    stored: usize,
    deduped: usize,
    failed: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IndexedResult {
    index: usize,
    #[serde(flatten)]
    outcome: RememberResult,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum RememberResult {
    Stored(RememberAnswer),
    Refused(serde_json::Map<String, serde_json::Value>),
}

async fn remember_batch(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let together = if cx.input.flag("atomic") { Together::AllOrNone } else { Together::Each };
    let asked = cx.input.each("items").unwrap_or_default().iter().map(|item| read(&cx, item));
    let (told, drafts): (Vec<Told>, Vec<Result<Draft, Error>>) = asked.unzip();
    let guardrails = cx.state.gate.live.rules().guardrails;
    // A hundred texts are cut and scanned on a thread of their own.
    let items: Vec<Item> = tokio::task::spawn_blocking(move || {
        drafts.into_iter().map(|draft| draft.and_then(|draft| prepare(draft, guardrails))).collect()
    })
    .await
    .map_err(Error::internal)?;
    let (scope, actor) = (cx.scope.clone(), cx.actor.clone());
    let stored = cx.state.writer.write(move |tx| store(tx, &scope, &actor, (&items, together))).await?;
    cx.state.tracker.wake();
    Reply::ok(&answer(stored, &told))
}

fn read(cx: &Cx, item: &Result<Input, Error>) -> (Told, Result<Draft, Error>) {
    match item.clone().and_then(|input| ask::read(cx, &input)) {
        Ok((draft, told)) => (told, Ok(draft)),
        Err(refused) => (Told::default(), Err(refused)),
    }
}

fn answer(stored: Vec<Result<Remembered, Error>>, told: &[Told]) -> RememberedBatch {
    let mut answer =
        RememberedBatch { results: Vec::with_capacity(stored.len()), stored: 0, deduped: 0, failed: 0 };
    for (index, (outcome, told)) in stored.into_iter().zip(told).enumerate() {
        *match &outcome {
            Ok(Remembered::One(one)) if one.deduped.is_some() => &mut answer.deduped,
            Ok(Remembered::Group(group)) if group.deduped => &mut answer.deduped,
            Ok(_) => &mut answer.stored,
            Err(_) => &mut answer.failed,
        } += 1;
        let outcome = match outcome {
            Ok(stored) => {
                let embedded = matches!(&stored, Remembered::One(one) if one.embedded);
                RememberResult::Stored(RememberAnswer::of(stored, told, embedded))
            }
            Err(refused) => RememberResult::Refused(crate::error::body(&refused)),
        };
        answer.results.push(IndexedResult { index, outcome });
    }
    answer
}

//! POST /api/memory/modify: many changes, each on its own.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use signet_model::memory::Warrant;
use signet_model::memory::forget::ItemResult;
use signet_model::memory::outcome::Edited;
use signet_model::{Code, Error, MemoryId, Permission};
use signet_store::evidence::memory::modify_batch::{Patch, modify as store};

use super::edit::{EditedWire, change, change_fields};
use super::fields::{IF_VERSION, REASON};
use super::frozen;
use super::remember::BODY;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

const PATCH: &[Field] = change_fields![Field::new("id", Kind::Id, "The memory.").required("id is required")];

pub(super) const ROUTE: Route = Route {
    rate: Rate::Modify,
    body_limit: BODY,
    fields: &[
        Field::new("patches", Kind::Each { max: 200, fields: PATCH }, "1 to 200 changes.")
            .required("patches[] is required"),
        REASON,
        Field::new("changedBy", Kind::Text { min: 0, max: 128 }, "Free name, kept as a claim."),
    ],
    ..route(
        Verb::Post,
        "/api/memory/modify",
        Access::Needs(Permission::Modify),
        |cx| Box::pin(modify(cx)),
        schema::<ModifiedBatch>,
        "Changes many memories; a bad item stops no other.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
struct ModifiedBatch {
    total: usize,
    updated: usize,
    results: Vec<ModifyResult>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum ModifyResult {
    Done(EditedWire),
    Refused(Map<String, Value>),
}

async fn modify(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let patches: Vec<Patch> =
        cx.input.each("patches").unwrap_or_default().iter().map(|item| patch(&cx, item)).collect();
    let (scope, actor) = (cx.scope.clone(), cx.actor.clone());
    let results = cx.state.writer.write(move |tx| store(tx, &scope, &actor, patches)).await?;
    cx.state.tracker.wake();
    Reply::ok(&answer(results))
}

/// One item with its own reason, else the call's.
fn patch(cx: &Cx, item: &Result<Input, Error>) -> Patch {
    let refused =
        |error: Error| Patch { id: MemoryId::from(""), change: Err(error), warrant: Warrant::because("") };
    let input = match item {
        Ok(input) => input,
        Err(error) => return refused(error.clone()),
    };
    let own = input.text("reason").map(str::trim).filter(|reason| !reason.is_empty());
    let reason = match own.map_or_else(|| cx.need_reason(), Ok) {
        Ok(reason) => reason.to_owned(),
        Err(error) => return Patch { id: MemoryId::from(input.text("id").unwrap_or("")), ..refused(error) },
    };
    Patch {
        id: MemoryId::from(input.text("id").unwrap_or_default()),
        change: change(input).checked(),
        warrant: Warrant { reason, if_version: input.int("ifVersion") },
    }
}

fn answer(results: Vec<ItemResult<Edited>>) -> ModifiedBatch {
    let updated = |item: &&ItemResult<Edited>| {
        item.result.as_ref().is_ok_and(|edited| edited.versions.new != edited.versions.current)
    };
    ModifiedBatch {
        total: results.len(),
        updated: results.iter().filter(updated).count(),
        results: results.into_iter().map(outcome).collect(),
    }
}

fn outcome(item: ItemResult<Edited>) -> ModifyResult {
    match item.result {
        Ok(edited) => ModifyResult::Done(edited.into()),
        Err(error) => ModifyResult::Refused(refused(&item.id, &error)),
    }
}

/// A refused item: its id, the code as `status`, and the refusal. A fault of the item itself is
/// `invalid_request`, whatever its own code.
pub(super) fn refused(id: &MemoryId, error: &Error) -> Map<String, Value> {
    let status =
        if error.kind() == signet_model::ErrorKind::Invalid { Code::InvalidRequest } else { error.code };
    let mut body = Map::new();
    body.insert("id".to_owned(), id.as_str().into());
    body.insert("status".to_owned(), status.as_str().into());
    body.extend(crate::error::body(error).into_iter().filter(|(key, _)| key != "id" && key != "status"));
    body
}

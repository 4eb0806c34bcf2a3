//! POST /api/memory/forget: see which memories, then forget exactly those.

mod select;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use signet_model::memory::Warrant;
use signet_model::memory::forget::{CONFIRM_ABOVE, Candidate, ItemResult, Selection, confirm, token};
use signet_model::memory::outcome::Forgotten;
use signet_model::{Code, Error, MemoryId, Permission};
use signet_store::evidence::memory::batch_forget::execute as store;

use super::fields::{FORCE, REASON, force};
use super::forget::ForgottenWire;
use super::frozen;
use super::modify::refused;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Admission, Rate, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    rate: Rate::BatchForget,
    admission: Admission::Recall,
    fields: &[
        Field::new("mode", Kind::OneOf(&["preview", "execute"]), "`preview` by default."),
        Field::new("query", Kind::Text { min: 0, max: 8000 }, "What recall finds."),
        Field::new("ids", Kind::Texts { max: 200, min_len: 1, max_len: 128 }, "Exactly these."),
        Field::new("type", Kind::Text { min: 0, max: 64 }, "Exact type."),
        Field::new("tags", Kind::Tags, "Every one of these tags."),
        Field::new("who", Kind::Text { min: 0, max: 200 }, "Exact author."),
        Field::new("project", Kind::Text { min: 0, max: 4096 }, "Exact project."),
        Field::new("sourceType", Kind::Text { min: 0, max: 64 }, "Exact source type."),
        Field::new("since", Kind::Time, "Said at or after."),
        Field::new("until", Kind::TimeUntil, "Said before."),
        Field::new("scope", Kind::Text { min: 0, max: 200 }, "Exact scope."),
        Field::new(
            "limit",
            Kind::Clamped { default: 20, min: 1, max: 200 },
            "Most memories by query or filter.",
        ),
        Field::new(
            "confirmToken",
            Kind::Text { min: 0, max: 128 },
            "Token of the preview, above 25 memories.",
        ),
        Field::new(
            "ifVersion",
            Kind::Int { min: 1, max: 9_007_199_254_740_991 },
            "Refused: a batch has no version.",
        )
        .wrong("if_version is not for batches"),
        FORCE,
        REASON,
    ],
    ..route(
        Verb::Post,
        "/api/memory/forget",
        Access::Needs(Permission::Forget),
        |cx| Box::pin(batch_forget(cx)),
        schema::<ForgetAnswer>,
        "Previews or forgets many memories.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum ForgetAnswer {
    Preview(ForgetPreview),
    Done(ForgottenBatch),
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ForgetPreview {
    /// `preview`.
    mode: &'static str,
    count: usize,
    requires_confirm: bool,
    confirm_token: String,
    candidates: Vec<CandidateWire>,
    /// Asked ids that there are no such memories of.
    missing: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CandidateWire {
    id: String,
    score: f64,
    pinned: bool,
    version: i64,
    excerpt: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ForgottenBatch {
    /// `execute`.
    mode: &'static str,
    requested: usize,
    deleted: usize,
    results: Vec<ForgetResult>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum ForgetResult {
    Deleted(ForgottenWire),
    Refused(Map<String, Value>),
}

async fn batch_forget(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    if cx.input.has("ifVersion") {
        return Err(Error::field("ifVersion", "if_version is not for batches"));
    }
    if cx.input.text("mode") == Some("execute") {
        let reason = cx.need_reason().map_err(|_| reason_missing())?.to_owned();
        let selection = select::select(&cx).await?;
        return Reply::ok(&ForgetAnswer::Done(execute(&cx, selection, reason).await?));
    }
    Reply::ok(&ForgetAnswer::Preview(preview(select::select(&cx).await?)))
}

fn reason_missing() -> Error {
    let mut error = Error::new(Code::ReasonRequired, "reason is required for execute mode");
    error.field = Some("reason".to_owned());
    error
}

fn preview(selection: Selection) -> ForgetPreview {
    let confirm_token = token(selection.candidates.iter().map(|candidate| &candidate.id));
    ForgetPreview {
        mode: "preview",
        count: selection.candidates.len(),
        requires_confirm: selection.candidates.len() > CONFIRM_ABOVE,
        confirm_token,
        candidates: selection.candidates.into_iter().map(CandidateWire::from).collect(),
        missing: selection.missing.iter().map(ToString::to_string).collect(),
    }
}

impl From<Candidate> for CandidateWire {
    fn from(candidate: Candidate) -> Self {
        Self {
            id: candidate.id.to_string(),
            score: candidate.score,
            pinned: candidate.pinned,
            version: candidate.version,
            excerpt: candidate.excerpt,
        }
    }
}

async fn execute(cx: &Cx, selection: Selection, reason: String) -> Result<ForgottenBatch, Error> {
    let mut ids: Vec<MemoryId> = selection.candidates.into_iter().map(|candidate| candidate.id).collect();
    confirm(&ids, cx.input.text("confirmToken"))?;
    // What is missing has a result too: the store says of each that there is none.
    ids.extend(selection.missing);
    let (scope, actor, force) = (cx.scope.clone(), cx.actor.clone(), force(cx));
    let results = cx
        .state
        .writer
        .write(move |tx| store(tx, &scope, &actor, (&ids, force), &Warrant::because(&reason)))
        .await?;
    Ok(ForgottenBatch {
        mode: "execute",
        requested: results.len(),
        deleted: results.iter().filter(|item| item.result.is_ok()).count(),
        results: results.into_iter().map(outcome).collect(),
    })
}

fn outcome(item: ItemResult<Forgotten>) -> ForgetResult {
    match item.result {
        Ok(forgotten) => ForgetResult::Deleted(forgotten.into()),
        Err(error) => ForgetResult::Refused(refused(&item.id, &error)),
    }
}

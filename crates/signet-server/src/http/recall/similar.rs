//! GET /memory/similar.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::recall::{Completeness, Filters};
use signet_model::{Code, Detail, Error, MemoryId};
use signet_recall::SimilarRequest;

use super::request;
use crate::cx::{Cx, Reply};

/// The neighbours of a memory.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SimilarAnswer {
    results: Vec<Neighbour>,
    completeness: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_window: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Neighbour {
    id: String,
    content: String,
    #[serde(rename = "type")]
    kind: String,
    tags: Vec<String>,
    score: f64,
    confidence: f64,
    created_at: String,
}

/// Answers the nearest memories, or 404 when the memory has no vector the caller may use.
pub(super) async fn similar(cx: Cx) -> Result<Reply, Error> {
    let request = SimilarRequest {
        id: MemoryId::from(cx.input.text("id").unwrap_or_default()),
        k: usize::try_from(cx.input.int("k").unwrap_or(10)).unwrap_or(10),
        filters: Filters { scope: Some(String::new()), ..request::filters(&cx.input) },
    };
    let Some(similar) = cx.state.recall.similar(&cx.scope, request).await? else {
        return Err(Error::new(Code::NotFound, "No embedding found for this memory")
            .with("results", Detail::List(Vec::new())));
    };
    let searched_window = match similar.completeness {
        Completeness::RecentWindow(rows) => Some(rows),
        Completeness::Complete | Completeness::Unavailable => None,
    };
    let completeness = similar.completeness.as_str();
    let results = similar.hits.into_iter().map(|(memory, cosine)| Neighbour {
        id: memory.id.to_string(),
        content: memory.content,
        kind: memory.kind,
        tags: memory.tags.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
        score: cosine,
        confidence: memory.confidence,
        created_at: memory.created_at.to_string(),
    });
    Reply::ok(&SimilarAnswer { results: results.collect(), completeness, searched_window })
}

//! GET /api/embeddings.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission};
use signet_store::derived::embedded::{COUNTED, EmbeddedMemory, list as store};

use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    fields: &[
        Field::new("limit", Kind::Clamped { default: 600, min: 50, max: 5_000 }, "Rows of a page."),
        Field::new("offset", Kind::Clamped { default: 0, min: 0, max: 100_000 }, "Rows before the page."),
        Field::new("vectors", Kind::Bool, "With the vectors themselves."),
    ],
    ..route(
        Verb::Get,
        "/api/embeddings",
        Access::Needs(Permission::Recall),
        |cx| Box::pin(list(cx)),
        schema::<EmbeddingPage>,
        "Memories that have a vector, newest first.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EmbeddingPage {
    embeddings: Vec<Embedding>,
    /// Rows of this page.
    count: usize,
    total: usize,
    /// There may be more than `total`: counting stops at 10,000.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    total_is_lower_bound: bool,
    limit: usize,
    offset: usize,
    has_more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Embedding {
    /// Memory id.
    id: String,
    content: String,
    /// The same text, under the name that callers of the earlier program read.
    text: String,
    who: Option<String>,
    importance: f64,
    r#type: String,
    tags: Vec<String>,
    source_type: String,
    source_id: Option<String>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    vector: Option<Vec<f32>>,
}

async fn list(cx: Cx) -> Result<Reply, Error> {
    let size = |name| cx.input.int(name).and_then(|n| usize::try_from(n).ok()).unwrap_or_default();
    let (limit, offset, vectors) = (size("limit"), size("offset"), cx.input.flag("vectors"));
    let scope = cx.scope.clone();
    let page = cx.state.reader.read(move |tx| store(tx, &scope, limit, offset)).await?;
    let count = page.rows.len();
    let total_is_lower_bound = page.total == COUNTED;
    let has_more = offset + count < page.total || (total_is_lower_bound && count == limit);
    let embeddings = page.rows.into_iter().map(|row| shown(row, vectors)).collect();
    Reply::ok(&EmbeddingPage {
        embeddings,
        count,
        total: page.total,
        total_is_lower_bound,
        limit,
        offset,
        has_more,
    })
}

fn shown(row: EmbeddedMemory, vectors: bool) -> Embedding {
    Embedding {
        id: row.id.as_str().to_owned(),
        text: row.content.clone(),
        content: row.content,
        who: row.who,
        importance: row.importance,
        r#type: row.kind,
        tags: row.tags.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
        source_type: row.source_type,
        source_id: Some(row.source_id).filter(|id| !id.is_empty()),
        created_at: row.created_at,
        vector: vectors.then_some(row.vector),
    }
}

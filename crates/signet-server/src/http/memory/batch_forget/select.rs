//! Which memories a batch means.

use signet_model::memory::forget::{Selection, Selector};
use signet_model::recall::{ItemKind, Request};
use signet_model::{Code, Error, MemoryId};
use signet_store::evidence::memory::batch_forget::{candidate_of, select as store};

use crate::cx::Cx;
use crate::http::memory::list::{filters, size};

/// The rows of ids, query or filters; 400 when there is none of them.
pub(super) async fn select(cx: &Cx) -> Result<Selection, Error> {
    need_selector(cx)?;
    let query = cx.input.text("query").map(str::trim).filter(|query| !query.is_empty());
    let ids = cx.input.texts("ids").unwrap_or_default();
    match query {
        Some(query) if ids.is_empty() => by_query(cx, query).await,
        _ => {
            let selector = Selector {
                ids: ids.iter().map(|id| MemoryId::from(id.as_str())).collect(),
                filters: filters(&cx.input),
                limit: size(&cx.input, "limit"),
            };
            let scope = cx.scope.clone();
            Ok(cx.state.reader.read(move |tx| store(tx, &scope, &selector)).await?)
        }
    }
}

/// Project and scope alone select nothing, nor does the author that a credential fills in.
fn need_selector(cx: &Cx) -> Result<(), Error> {
    let filled = |name: &str| cx.input.text(name).is_some_and(|text| !text.trim().is_empty());
    let listed = |name: &str| cx.input.texts(name).is_some_and(|list| !list.is_empty());
    let named = filled("query")
        || listed("ids")
        || filled("type")
        || listed("tags")
        || (filled("who") && cx.scope.user().is_none())
        || filled("sourceType")
        || cx.input.time("since").is_some()
        || cx.input.time("until").is_some();
    if named {
        return Ok(());
    }
    let sentence = "query, ids, or at least one filter (type/tags/who/source_type/since/until) is required";
    Err(Error::new(Code::InvalidRequest, sentence))
}

/// What recall finds among the agent's own memories. Nothing is counted as accessed.
async fn by_query(cx: &Cx, query: &str) -> Result<Selection, Error> {
    let request = Request {
        limit: size(&cx.input, "limit"),
        filters: filters(&cx.input),
        kinds: vec![ItemKind::Memory],
        ..Request::new(query)
    };
    let found = cx.state.recall.recall(&cx.scope, &request).await?;
    let scope = cx.scope.clone();
    let own = found.hits.into_iter().filter(|hit| hit.memory.agent == *scope.agent());
    let hits: Vec<(MemoryId, f64)> = own.map(|hit| (hit.memory.id, hit.score)).collect();
    let candidates = cx.state.reader.read(move |tx| {
        let mut candidates = Vec::new();
        for (id, score) in hits {
            if let Some(candidate) = candidate_of(tx, &scope, &id)? {
                candidates.push(signet_model::memory::forget::Candidate { score, ..candidate });
            }
        }
        Ok(candidates)
    });
    Ok(Selection { candidates: candidates.await?, missing: Vec::new() })
}

//! Vectors: the query's vector, made outside any transaction, and the nearest rows to it.

use std::time::Duration;

use signet_model::AgentScope;
use signet_model::embed::{EmbedRole, Embedder};
use signet_model::recall::Filters;
use signet_store::control::counters;
use signet_store::derived::cosine::QueryVector;
use signet_store::derived::eligible::Owner;
use signet_store::derived::nearest::{Nearest, Tier, VectorQuery, nearest};
use signet_store::derived::profile::{Standing, standing};
use signet_store::{ReadTx, Reader, Result};

use super::Skip;

/// The query as a vector of the store's active space.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    /// The space.
    pub(crate) profile_id: i64,
    /// The vector.
    pub(crate) vector: QueryVector,
    /// A cosine below this is noise and no evidence.
    pub(crate) noise_floor: f64,
}

/// What the semantic channel can do for this query.
#[derive(Debug, Clone)]
pub(crate) enum Semantic {
    /// It runs with this vector.
    Ready(Box<Probe>),
    /// The store holds no vector yet, so none is left out.
    Empty,
    /// It does not run.
    Off(Skip),
}

/// Embeds the query when the store has vectors of the same space.
pub(crate) async fn probe(
    embedder: &dyn Embedder,
    reader: &Reader,
    text: &str,
    budget: Duration,
) -> Result<Semantic> {
    let Some(profile) = embedder.profile() else { return Ok(Semantic::Off(Skip::NoProvider)) };
    let active = match reader.read(move |tx| standing(tx, &profile)).await? {
        Standing::Same(active) => active,
        Standing::Empty => return Ok(Semantic::Empty),
        Standing::Other(_) => return Ok(Semantic::Off(Skip::ProfileMismatch)),
    };
    let asked = embedder.embed(EmbedRole::Query, vec![text.to_owned()]);
    let vector = match tokio::time::timeout(budget, asked).await {
        Ok(Ok(mut embedded)) => embedded.pop().and_then(|embedded| QueryVector::new(embedded.vector)),
        Ok(Err(failure)) => {
            tracing::warn!(%failure, "the query got no vector");
            None
        }
        Err(_) => {
            tracing::warn!(budget_ms = budget.as_millis(), "the query's vector took too long");
            None
        }
    };
    Ok(match vector.filter(|vector| vector.dimensions() == active.dimensions) {
        Some(vector) => Semantic::Ready(Box::new(Probe {
            profile_id: active.id,
            vector,
            noise_floor: active.noise_floor,
        })),
        None => Semantic::Off(Skip::EmbeddingUnavailable),
    })
}

/// Where a search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Whose rows.
    pub(crate) owner: &'a Owner,
    /// Who asks.
    pub(crate) scope: &'a AgentScope,
    /// Which rows.
    pub(crate) filters: &'a Filters,
    /// How many.
    pub(crate) k: usize,
    /// Which tier may answer.
    pub(crate) tier: Tier,
    /// Rows of the window.
    pub(crate) window_rows: usize,
}

/// The nearest eligible rows of one owner, without those whose cosine is noise.
pub(crate) fn find(tx: &ReadTx<'_>, place: Place<'_>, probe: &Probe) -> Result<Nearest> {
    let mut nearest = nearest(
        tx,
        &VectorQuery {
            owner: place.owner,
            scope: place.scope,
            filters: place.filters,
            profile_id: probe.profile_id,
            vector: &probe.vector,
            k: place.k,
            tier: place.tier,
            window_rows: place.window_rows,
        },
    )?;
    nearest.hits.retain(|hit| f64::from(hit.cosine) >= probe.noise_floor);
    Ok(nearest)
}

/// How many texts of the reader's own agent wait for a vector, read from its counter; 0 when the channel
/// does not run, which the answer says anyhow. The texts of others are not counted: the number would tell
/// of rows that the reader may not see.
pub(crate) fn pending(tx: &ReadTx<'_>, scope: &AgentScope, semantic: &Semantic) -> Result<u64> {
    match semantic {
        Semantic::Ready(_) | Semantic::Empty => Ok(counters::of_agent(tx, scope.agent())?.pending),
        Semantic::Off(_) => Ok(0),
    }
}

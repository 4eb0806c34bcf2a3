//! The nearest memories of a memory, by their stored vectors.

use signet_model::recall::{Completeness, Filters, Reason, Recalled};
use signet_model::{AgentScope, Error, MemoryId};
use signet_store::derived::candidates;
use signet_store::derived::eligible::{self, Owner, why};
use signet_store::derived::nearest;
use signet_store::derived::profile;
use signet_store::{ReadTx, Result};

use crate::Recall;
use crate::channels::vector::{Place, Probe, find};
use crate::settings::Settings;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarRequest {
    /// The memory whose neighbours are wanted.
    pub id: MemoryId,
    /// How many.
    pub k: usize,
    /// Filters.
    pub filters: Filters,
}

/// The neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    /// Neighbour and cosine, nearest first. Never the memory itself.
    pub hits: Vec<(Recalled, f64)>,
    /// How much of the vectors was searched.
    pub completeness: Completeness,
}

impl Recall {
    /// The nearest memories that the reader may see. `None` when the memory has no vector, or the reader
    /// may not know of it: both alike.
    pub async fn similar(
        &self,
        scope: &AgentScope,
        request: SimilarRequest,
    ) -> std::result::Result<Option<Similar>, Error> {
        let (scope, settings) = (scope.clone(), std::sync::Arc::clone(&self.settings));
        Ok(self.reader.read(move |tx| similar(tx, &scope, &request, &settings)).await?)
    }
}

fn similar(
    tx: &ReadTx<'_>,
    scope: &AgentScope,
    request: &SimilarRequest,
    settings: &Settings,
) -> Result<Option<Similar>> {
    let owners = eligible::owners(tx, scope)?;
    let Some(probe) = probe(tx, &owners, scope, &request.id)? else { return Ok(None) };
    let mut completeness = Completeness::Complete;
    let mut hits = Vec::new();
    for owner in &owners {
        let place = Place {
            owner,
            scope,
            filters: &request.filters,
            k: request.k + 1,
            tier: settings.vector_tier,
            window_rows: settings.recent_window_rows,
        };
        let nearest = find(tx, place, &probe)?;
        if nearest.completeness == nearest::Completeness::RecentWindow {
            completeness = Completeness::RecentWindow(settings.recent_window_rows);
        }
        let rids: Vec<i64> = nearest.hits.iter().map(|hit| hit.rid).collect();
        let stored = candidates::Probe { profile_id: probe.profile_id, vector: &probe.vector };
        let rows = candidates::load(tx, owner, request.filters.audience, &rids, Some(stored))?.rows;
        hits.extend(rows.into_iter().map(|row| (row.memory, row.cosine.unwrap_or(0.0))));
    }
    hits.retain(|(memory, _)| memory.id != request.id);
    hits.sort_by(|a, b| {
        b.1.total_cmp(&a.1).then(b.0.created_at.cmp(&a.0.created_at)).then(a.0.id.cmp(&b.0.id))
    });
    hits.truncate(request.k);
    Ok(Some(Similar { hits, completeness }))
}

/// The stored vector of a memory that the reader may see, in the active space.
fn probe(tx: &ReadTx<'_>, owners: &[Owner], scope: &AgentScope, id: &MemoryId) -> Result<Option<Probe>> {
    let any = Filters::default();
    let barred = why::why_not(tx, owners, scope, &any, id.as_str())?;
    let Some(active) = profile::active(tx)? else { return Ok(None) };
    if matches!(barred, Some(Reason::NotFound | Reason::Tombstoned)) {
        return Ok(None);
    }
    for owner in owners {
        if let Some(vector) = candidates::vector(tx, owner, id, active.id)? {
            return Ok(Some(Probe { profile_id: active.id, vector, noise_floor: active.noise_floor }));
        }
    }
    Ok(None)
}

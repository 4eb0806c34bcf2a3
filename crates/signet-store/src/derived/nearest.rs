//! The nearest memories of a vector: chooses the tier, keeps the filters inside it, says how complete
//! the answer is.
//!
//! Whatever the tier, scores are the exact cosine of the canonical f32 row, and a filter never shrinks the
//! answer below what exists.

use rusqlite::params_from_iter;
use rusqlite::types::Value;
use signet_model::AgentScope;
use signet_model::recall::Filters;

use crate::derived::cosine::QueryVector;
use crate::derived::eligible::{self, Owner};
use crate::derived::vec::{self, Candidate, Mirror};
use crate::derived::window::{self, Best, Hit, Scan, Scanned};
use crate::{ReadTx, Result};

/// Which tier may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tier {
    /// The best that can serve.
    #[default]
    Auto,
    /// The sqlite-vec table; the window while it cannot serve.
    SqliteVec,
    /// The window only.
    Window,
}

/// A search for the nearest memories of one owner.
#[derive(Debug, Clone, Copy)]
pub struct VectorQuery<'a> {
    /// Whose rows.
    pub owner: &'a Owner,
    /// Who asks.
    pub scope: &'a AgentScope,
    /// What else the rows must satisfy.
    pub filters: &'a Filters,
    /// The active space; `vector` must be of it.
    pub profile_id: i64,
    /// The query's vector.
    pub vector: &'a QueryVector,
    /// How many.
    pub k: usize,
    /// Which tier may answer.
    pub tier: Tier,
    /// Rows the window looks at.
    pub window_rows: usize,
}

/// How much of the owner's eligible rows was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// All of them.
    Complete,
    /// Only the newest; an older eligible row was left out.
    RecentWindow,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Nearest first; equal cosines by the newer row.
    pub hits: Vec<Hit>,
    /// How much was looked at.
    pub completeness: Completeness,
    /// The tier that answered: `sqlite-vec` or `window`.
    pub tier: Tier,
    /// Rows whose stored vector cannot be scored. Upkeep replaces them.
    pub unsound: usize,
}

/// Eligible rows up to which a filtered search scans them all instead of asking the mirror.
const FEW: usize = 2_000;

/// The nearest eligible memories of one owner.
pub fn nearest(tx: &ReadTx<'_>, query: &VectorQuery<'_>) -> Result<Nearest> {
    let predicate = eligible::predicate(query.owner, query.scope, query.filters);
    let scan = Scan {
        owner: query.owner,
        predicate: &predicate,
        profile_id: query.profile_id,
        query: query.vector,
        k: query.k,
    };
    let mirrored = query.tier != Tier::Window && vec::mirror(tx)? == Mirror::Ready;
    if mirrored {
        if query.filters.narrows() && is_few(tx, &scan)? {
            return Ok(all_of(window::scan(tx, scan, usize::MAX)?, Tier::SqliteVec));
        }
        // A filter leaves few of the nearest; asking once for many costs less than asking again.
        let ask = if query.filters.narrows() { vec::MOST } else { scan.k + scan.k / 10 + 10 };
        match by_mirror(tx, scan, ask) {
            Ok(Some(scanned)) => return Ok(all_of(scanned, Tier::SqliteVec)),
            Ok(None) => {
                tracing::warn!("the vector mirror disagrees with the vectors; answering from the window");
            }
            Err(failure) => {
                tracing::warn!(error = %failure, "the vector mirror failed; answering from the window");
            }
        }
    }
    Ok(all_of(window::scan(tx, scan, query.window_rows)?, Tier::Window))
}

fn all_of(scanned: Scanned, tier: Tier) -> Nearest {
    let completeness = if scanned.more { Completeness::RecentWindow } else { Completeness::Complete };
    Nearest { hits: scanned.hits, completeness, tier, unsound: scanned.unsound }
}

/// Whether at most [`FEW`] rows are eligible. Stops counting there.
fn is_few(tx: &ReadTx<'_>, scan: &Scan<'_>) -> Result<bool> {
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM memories m WHERE m.agent_id = ? AND ({}) LIMIT ?)",
        scan.predicate.sql
    );
    let agent = Value::Text(scan.owner.agent.as_str().to_owned());
    let limit = Value::Integer(FEW as i64 + 1);
    let bound = std::iter::once(&agent).chain(&scan.predicate.params).chain(std::iter::once(&limit));
    let count: i64 = tx.prepare(&sql)?.query_row(params_from_iter(bound), |row| row.get(0))?;
    Ok(count <= FEW as i64)
}

/// Candidates of the mirror, cut to the eligible ones and scored from the canonical rows. Asks for `ask`,
/// for more when too few were eligible, and scans all eligible rows when the mirror gives no more.
///
/// `None`: the mirror gave a row that is no vector of this space, or a distance that is not that of the
/// canonical row, so nothing it says is taken.
fn by_mirror(tx: &ReadTx<'_>, scan: Scan<'_>, mut ask: usize) -> Result<Option<Scanned>> {
    loop {
        let ask_now = ask.min(vec::MOST);
        let candidates = vec::knn(tx, scan.owner.agent.as_str(), scan.query, ask_now)?;
        let Some(scanned) = rescore(tx, scan, &candidates)? else { return Ok(None) };
        if scanned.hits.len() >= scan.k || candidates.len() < ask_now {
            return Ok(Some(scanned));
        }
        if ask_now == vec::MOST {
            return Ok(Some(window::scan(tx, scan, usize::MAX)?));
        }
        ask *= 8;
    }
}

const CANONICAL: &str =
    "SELECT e.vector, e.profile_id, e.source_id FROM embeddings e WHERE e.agent_id = ? AND e.rid = ?";
const ELIGIBLE: &str = "SELECT m.rid FROM memories m WHERE m.agent_id = ? AND m.id = ? AND ";

/// Largest honest difference between the mirror's distance and the exact cosine.
const ROUNDING: f32 = 1e-3;

fn rescore(tx: &ReadTx<'_>, scan: Scan<'_>, candidates: &[Candidate]) -> Result<Option<Scanned>> {
    let agent = Value::Text(scan.owner.agent.as_str().to_owned());
    let eligible = format!("{ELIGIBLE}({})", scan.predicate.sql);
    let (mut canonical, mut eligible) = (tx.prepare(CANONICAL)?, tx.prepare(&eligible)?);
    let (mut best, mut unsound) = (Best::new(scan.k), 0);
    for candidate in candidates {
        if best.is_beyond(1.0 - candidate.distance + ROUNDING) {
            // Candidates come nearest first: none of the others can be among the best.
            break;
        }
        let mut rows = canonical.query(params_from_iter([&agent, &Value::Integer(candidate.rid)]))?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let Some(cosine) = row.get_ref(0)?.as_blob().ok().and_then(|blob| scan.query.cosine(blob)) else {
            unsound += 1;
            continue;
        };
        let same_space = row.get::<_, i64>(1)? == scan.profile_id;
        if !same_space || (1.0 - candidate.distance - cosine).abs() > ROUNDING {
            return Ok(None);
        }
        let memory = Value::Text(row.get(2)?);
        let bound = [&agent, &memory].into_iter().chain(&scan.predicate.params);
        if let Some(row) = eligible.query(params_from_iter(bound))?.next()? {
            best.push(Hit { rid: row.get(0)?, cosine });
        }
    }
    Ok(Some(Scanned { hits: best.into_hits(), more: false, unsound }))
}

#[cfg(test)]
mod tests;

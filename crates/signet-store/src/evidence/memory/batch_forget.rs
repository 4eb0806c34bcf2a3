//! Forgetting many: first see which rows, then forget exactly those.

use signet_model::memory::Warrant;
use signet_model::memory::forget::{Candidate, Force, ItemResult, Selection, Selector};
use signet_model::memory::outcome::Forgotten;
use signet_model::{Actor, AgentScope, MemoryId};

use crate::evidence::memory::filter::{Condition, Order, Shown};
use crate::evidence::memory::list;
use crate::evidence::memory::modify_batch::attempt;
use crate::evidence::memory::row::{self, MemoryRow};
use crate::evidence::memory::{admit, forget};
use crate::{ReadTx, Result, WriteTx};

/// Characters of a text that a preview shows.
const EXCERPT: usize = 160;

/// Rows that a batch means: the asked ids, else the newest rows that match. Always inside the agent
/// and the credential's restrictions.
pub fn select(tx: &ReadTx<'_>, scope: &AgentScope, selector: &Selector) -> Result<Selection> {
    let condition = Condition::own(scope, &selector.filters, Shown::Live);
    if selector.ids.is_empty() {
        let rows = list::page(tx, &condition, Order::Created, (selector.limit, 0))?;
        return Ok(Selection { candidates: rows.iter().map(candidate).collect(), missing: Vec::new() });
    }
    let mut selection = Selection::default();
    for id in &selector.ids {
        if selection.candidates.iter().any(|known| known.id == *id) {
            continue;
        }
        match list::by_id(tx, &condition, id)? {
            Some(row) => selection.candidates.push(candidate(&row)),
            None => selection.missing.push(id.clone()),
        }
    }
    selection.missing.sort();
    selection.missing.dedup();
    Ok(selection)
}

/// Forgets each row in a savepoint of its own; a pinned or unknown one stops nothing.
pub fn execute(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    (ids, force): (&[MemoryId], Force),
    warrant: &Warrant,
) -> Result<Vec<ItemResult<Forgotten>>> {
    let mut results = Vec::with_capacity(ids.len());
    for id in ids {
        let result = attempt(tx, || forget::forget(tx, scope, actor, (id, force), warrant))?;
        results.push(ItemResult { id: id.clone(), result });
    }
    Ok(results)
}

/// What a preview shows of one row of the agent; `None` when it may not be forgotten by this caller.
pub fn candidate_of(tx: &ReadTx<'_>, scope: &AgentScope, id: &MemoryId) -> Result<Option<Candidate>> {
    let row = row::find(tx, scope.agent(), id)?.filter(|row| !row.deleted);
    Ok(row
        .filter(|row| admit::place(scope, &row.place.project, row.who.as_deref()).is_ok())
        .map(|row| candidate(&row)))
}

fn candidate(row: &MemoryRow) -> Candidate {
    let short: String = row.content.chars().take(EXCERPT).collect();
    let cut = short.len() < row.content.len();
    Candidate {
        id: row.id.clone(),
        score: 1.0,
        pinned: row.pinned,
        version: row.version,
        excerpt: if cut { short + "…" } else { short },
    }
}

#[cfg(test)]
mod tests;

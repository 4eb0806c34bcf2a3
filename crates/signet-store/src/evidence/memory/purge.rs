//! Removing a memory for good, with a receipt.
//!
//! A purge leaves a cold copy and the history's texts; an erase takes those too and says honestly
//! where the same text still stands. Receipts name ids, hashes, stores and counts, never a text.

mod backups;
mod cold;
mod remaining;

use rusqlite::params;
use serde_json::{Value, json};
use signet_model::memory::Warrant;
use signet_model::memory::forget::Force;
use signet_model::memory::outcome::refusal;
use signet_model::{Actor, AgentScope, Code, MemoryId};

use crate::audit::history::{self, Event, EventKind};
use crate::audit::receipt::{self, ReceiptMode};
use crate::control::idempotency;
use crate::derived::embedding::{self, SourceType};
use crate::evidence::memory::row::{self, MemoryRow};
use crate::evidence::memory::{admit, forget, hints, safety, tags};
use crate::evidence::tombstone;
use crate::{Result, WriteTx};

pub use backups::backups_holding;
pub use remaining::{Remaining, remaining};

/// Whether copies go too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// A cold copy and the history's texts stay.
    Purge,
    /// Every copy that Signet made goes.
    Erase,
}

/// What a purge is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Purge {
    /// Whether copies go too.
    pub depth: Depth,
    /// Whether a pinned row may go.
    pub force: Force,
    /// Why.
    pub reason: String,
    /// Where the text was found beside the memory, for the receipt of an erase.
    pub remaining: Vec<Remaining>,
    /// Backups that hold the row; listed, never edited.
    pub backups: Vec<String>,
}

/// How many rows went from where.
pub type Removed = Vec<(&'static str, usize)>;

/// A purge that went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purged {
    /// The receipt.
    pub receipt: String,
    /// What went from where; stores without a row are left out.
    pub removed: Removed,
}

/// Removes a memory at once, forgotten before or not. An erase also takes what an earlier purge left.
///
/// Refused: 403 `machine_writer_denied`; 404; 409 `pinned_requires_force`.
pub fn purge(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    id: &MemoryId,
    asked: &Purge,
) -> Result<Purged> {
    if !actor.kind.is_person() {
        let sentence = "only a person may purge a memory";
        return Err(refusal(Code::MachineWriterDenied, sentence, id, None).into());
    }
    let mut removed = Removed::new();
    let hash = match row::find(&tx.as_read(), scope.agent(), id)? {
        Some(row) => {
            admit::place(scope, &row.place.project, row.who.as_deref())?;
            forget::permit(actor, &row, asked.force)?;
            if !row.deleted {
                forget::bury(tx, actor, &row, asked.force, &Warrant::because(&asked.reason))?;
            }
            let copy = (asked.depth == Depth::Purge).then_some("purge");
            take_row(tx, actor, &row, (copy, &asked.reason), &mut removed)?;
            row.content_hash
        }
        None => match cold::hash_of(&tx.as_read(), scope, id)? {
            Some(hash) if asked.depth == Depth::Erase => hash,
            _ => return Err(refusal(Code::NotFound, "not found", id, None).into()),
        },
    };
    removed.push(("idempotency_keys", idempotency::drop_answers_naming(tx, scope.agent(), id)?));
    if asked.depth == Depth::Erase {
        tx.scrub_after_commit();
        removed.push(("memories_cold", cold::drop_copies(tx, scope.agent(), (id, &hash))?));
        removed.push(("memory_history texts", history::clear_texts(tx, scope.agent(), id)?));
        tombstone::mark_erased(tx, scope.agent(), &hash)?;
        let event = Event::new(id, EventKind::Erased, Some(&asked.reason));
        history::record(tx, scope.agent(), actor, event)?;
    }
    removed.retain(|(_, count)| *count > 0);
    let body = receipt_body(id, &hash, &removed, asked);
    let mode = match asked.depth {
        Depth::Purge => ReceiptMode::Purge,
        Depth::Erase => ReceiptMode::Erase,
    };
    let receipt = receipt::insert(tx, scope.agent(), actor, mode, (&asked.reason, &body))?;
    Ok(Purged { receipt, removed })
}

fn receipt_body(id: &MemoryId, hash: &str, removed: &Removed, asked: &Purge) -> Value {
    let mut body = json!({
        "memories": [{ "id": id.as_str(), "contentHash": hash }],
        "removed": removed_json(removed),
        "backupsHolding": asked.backups,
    });
    if asked.depth == Depth::Erase {
        body["remaining"] = asked
            .remaining
            .iter()
            .map(|place| json!({ "store": place.store, "ref": place.reference, "count": place.count }))
            .collect();
    }
    body
}

/// `[{store, count}]` of a receipt.
pub(super) fn removed_json(removed: &Removed) -> Value {
    removed.iter().map(|(store, count)| json!({ "store": store, "count": count })).collect()
}

/// Removes a forgotten row with everything that hangs on it, adds the counts, and records the event.
/// `copy` is the reason of a cold copy that is made first; `None` makes none.
pub(super) fn take_row(
    tx: &WriteTx<'_>,
    actor: &Actor,
    row: &MemoryRow,
    (copy, reason): (Option<&'static str>, &str),
    removed: &mut Removed,
) -> Result<()> {
    const SQL: &str = "DELETE FROM memories WHERE agent_id = ?1 AND id = ?2 AND is_deleted = 1";
    let (agent, id) = (&row.agent, &row.id);
    if let Some(word) = copy {
        cold::copy(tx, row, word)?;
    }
    for (store, count) in [
        ("embeddings", embedding::drop_vectors(tx, agent, SourceType::Memory, id.as_str())?),
        ("memory_hints", hints::drop_all(tx, agent, id)?),
        ("memory_tags", tags::drop_all(tx, agent, id)?),
        ("memory_content_safety", safety::drop_row(tx, agent, id)?),
        ("memories", tx.execute(SQL, params![agent.as_str(), id.as_str()])?),
    ] {
        match removed.iter_mut().find(|(known, _)| *known == store) {
            Some((_, sum)) => *sum += count,
            None => removed.push((store, count)),
        }
    }
    history::record(tx, agent, actor, Event::new(id, EventKind::Purged, Some(reason)))
}

#[cfg(test)]
mod tests;

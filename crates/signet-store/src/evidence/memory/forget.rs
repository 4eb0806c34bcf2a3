//! Forgetting one memory: softly, for 30 days, and out of the index at once.

use rusqlite::params;
use signet_model::memory::Warrant;
use signet_model::memory::forget::{Force, recoverable_until};
use signet_model::memory::outcome::{Forgotten, Versions};
use signet_model::{Actor, AgentScope, Code, MemoryId};

use crate::audit::history::{self, Event, EventKind};
use crate::derived::embedding::{self, SourceType};
use crate::evidence::memory::admit;
use crate::evidence::memory::row::MemoryRow;
use crate::evidence::tombstone;
use crate::{Result, WriteTx};

/// Forgets one row and leaves a tombstone of its text.
///
/// Refused: 404; 409 `already_deleted`, `version_conflict`, `pinned_requires_force`; 403
/// `autonomous_force_denied` when a machine writer forces.
pub fn forget(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    (id, force): (&MemoryId, Force),
    warrant: &Warrant,
) -> Result<Forgotten> {
    let row = admit::row(&tx.as_read(), scope, id)?;
    if row.deleted {
        return Err(admit::refuse(&row, Code::AlreadyDeleted, "the memory is deleted already"));
    }
    permit(actor, &row, force)?;
    admit::version(&row, warrant)?;
    bury(tx, actor, &row, force, warrant)?;
    let versions = Versions { current: row.version, new: row.version + 1 };
    Ok(Forgotten { id: row.id, versions, recoverable_until: recoverable_until(tx.now()) })
}

/// Whether a pinned row may go.
pub(super) fn permit(actor: &Actor, row: &MemoryRow, force: Force) -> Result<()> {
    match force {
        _ if !row.pinned => Ok(()),
        Force::Yes if actor.kind.is_person() => Ok(()),
        Force::Yes => {
            Err(admit::refuse(row, Code::AutonomousForceDenied, "only a person may forget a pinned memory"))
        }
        Force::No => Err(admit::refuse(
            row,
            Code::PinnedRequiresForce,
            "the memory is pinned; a person must pass force",
        )),
    }
}

/// Marks the row as forgotten. Triggers take it out of the index and out of the embedding queue;
/// hints and tags wait for the purge.
pub(super) fn bury(
    tx: &WriteTx<'_>,
    actor: &Actor,
    row: &MemoryRow,
    force: Force,
    warrant: &Warrant,
) -> Result<()> {
    const SQL: &str =
        "UPDATE memories SET is_deleted = 1, deleted_at = ?3, deleted_by = ?4, version = version + 1,
          updated_at = ?3, updated_by = ?4
        WHERE agent_id = ?1 AND id = ?2 AND is_deleted = 0";
    tx.execute(SQL, params![row.agent.as_str(), row.id.as_str(), tx.now().to_string(), actor.name])?;
    embedding::drop_vectors(tx, &row.agent, SourceType::Memory, row.id.as_str())?;
    tombstone::leave(tx, &row.agent, actor, (&row.content_hash, &row.id, &warrant.reason))?;
    let mut event = Event::new(&row.id, EventKind::Deleted, Some(&warrant.reason))
        .with("force", force == Force::Yes)
        .with("via", "forget");
    if let Some(seen) = warrant.if_version {
        event = event.with("ifVersion", seen);
    }
    history::record(tx, &row.agent, actor, event)
}

#[cfg(test)]
mod tests;

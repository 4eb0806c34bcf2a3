//! Taking a forgotten memory back, within 30 days.

use rusqlite::params;
use signet_model::memory::Warrant;
use signet_model::memory::forget::{RETENTION_DAYS, recoverable_until};
use signet_model::memory::outcome::{Recovered, Versions};
use signet_model::{Actor, AgentScope, Code, MemoryId, Timestamp};

use crate::audit::history::{self, Event, EventKind};
use crate::evidence::memory::remember::{group_twin, text_twin};
use crate::evidence::memory::row::MemoryRow;
use crate::evidence::memory::{admit, edit};
use crate::evidence::tombstone;
use crate::{Result, WriteTx};

/// Brings row, index and hints back, lifts the tombstone, and queues the vector (by trigger).
///
/// Refused: 403 `machine_writer_denied`; 404; 409 `not_deleted`, `retention_expired`, `version_conflict`,
/// `duplicate_content_hash` (with `duplicateMemoryId`), `state_conflict` when its source id is taken.
pub fn recover(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    id: &MemoryId,
    warrant: &Warrant,
) -> Result<Recovered> {
    let row = admit::row(&tx.as_read(), scope, id)?;
    if !actor.kind.is_person() {
        return Err(admit::refuse(&row, Code::MachineWriterDenied, "only a person may recover a memory"));
    }
    if !row.deleted {
        return Err(admit::refuse(&row, Code::NotDeleted, "the memory is not deleted"));
    }
    if !in_window(&row, tx.now()) {
        let sentence = format!("the memory was deleted more than {RETENTION_DAYS} days ago");
        return Err(admit::refuse(&row, Code::RetentionExpired, &sentence));
    }
    admit::version(&row, warrant)?;
    if let Some(twin) = twin(tx, &row)? {
        return Err(edit::duplicate(&row, &twin));
    }
    revive(tx, actor, &row)?;
    tombstone::remove(tx, &row.agent, &row.content_hash)?;
    let mut event = Event::new(&row.id, EventKind::Recovered, Some(&warrant.reason))
        .with("retentionWindowMs", RETENTION_DAYS * 86_400_000);
    if let Some(seen) = warrant.if_version {
        event = event.with("ifVersion", seen);
    }
    history::record(tx, &row.agent, actor, event)?;
    Ok(Recovered { versions: Versions { current: row.version, new: row.version + 1 }, id: row.id })
}

/// Whether a forgotten row can still be taken back; a row without its time of deletion cannot.
pub(super) fn in_window(row: &MemoryRow, now: Timestamp) -> bool {
    let deleted = row.deleted_at.as_deref().and_then(Timestamp::parse_stored);
    deleted.is_some_and(|deleted| now <= recoverable_until(deleted))
}

/// The current row that holds the same text, or the slice of the same long text stored again.
fn twin(tx: &WriteTx<'_>, row: &MemoryRow) -> Result<Option<MemoryId>> {
    match row.dedupe.as_str() {
        _ if row.superseded_by.is_some() => Ok(None),
        "text" => text_twin(&tx.as_read(), row, &row.content_hash),
        "group" => group_twin(&tx.as_read(), row),
        _ => Ok(None),
    }
}

/// A key that somebody used since the forget stays with the newer row.
fn revive(tx: &WriteTx<'_>, actor: &Actor, row: &MemoryRow) -> Result<()> {
    const SQL: &str = "UPDATE memories SET is_deleted = 0, deleted_at = NULL, deleted_by = NULL,
          idempotency_key = CASE WHEN EXISTS (SELECT 1 FROM memories o WHERE o.agent_id = ?1
              AND o.project = memories.project AND o.scope = memories.scope AND o.visibility = memories.visibility
              AND o.idempotency_key = memories.idempotency_key AND o.is_deleted = 0)
            THEN NULL ELSE idempotency_key END,
          version = version + 1, updated_at = ?3, updated_by = ?4
        WHERE agent_id = ?1 AND id = ?2 AND is_deleted = 1";
    let now = tx.now().to_string();
    tx.execute(SQL, params![row.agent.as_str(), row.id.as_str(), now, actor.name])
        .map_err(|failure| edit::taken(row, failure))?;
    Ok(())
}

#[cfg(test)]
mod tests;

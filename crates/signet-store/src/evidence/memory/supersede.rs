//! Replacing a memory by another: the old row stays, and only the new one is current.

use rusqlite::params;
use signet_model::memory::outcome::{Superseded, Versions};
use signet_model::memory::{Place, Warrant};
use signet_model::{Actor, AgentScope, Code, MemoryId};

use crate::audit::history::{self, Event, EventKind};
use crate::evidence::memory::admit;
use crate::evidence::memory::row::{self, MemoryRow};
use crate::{Result, WriteTx};

/// Longest chain of replacements that is followed.
const CHAIN: usize = 1_000;

/// Marks `id` as replaced by `by`.
///
/// Refused: 404 when either is unknown to the agent, 403 `machine_writer_denied` for a pinned row, 409
/// `self_supersede`, `deleted`, `already_superseded`, `scope_mismatch`, `version_conflict`, and
/// `state_conflict` when the chain would close a circle.
pub fn supersede(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    (id, by): (&MemoryId, &MemoryId),
    warrant: &Warrant,
) -> Result<Superseded> {
    let old = admit::row(&tx.as_read(), scope, id)?;
    if id == by {
        return Err(admit::refuse(&old, Code::SelfSupersede, "a memory cannot replace itself"));
    }
    let new = admit::row(&tx.as_read(), scope, by)?;
    replaceable(actor, &old, &new.place)?;
    if new.deleted {
        return Err(admit::refuse(&old, Code::Deleted, "the replacing memory is deleted"));
    }
    admit::version(&old, warrant)?;
    if leads_to(tx, &new, id)? {
        return Err(admit::refuse(&old, Code::StateConflict, "the replacements would form a circle"));
    }
    mark(tx, actor, &old, (by, Some(&warrant.reason)))?;
    let versions = Versions { current: old.version, new: old.version + 1 };
    Ok(Superseded { id: old.id, by: by.clone(), versions })
}

/// The row that a new memory at `place` may replace; refusals as in [`supersede`].
pub(super) fn target(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    (id, place): (&MemoryId, &Place),
) -> Result<MemoryRow> {
    let old = admit::row(&tx.as_read(), scope, id)?;
    replaceable(actor, &old, place)?;
    Ok(old)
}

fn replaceable(actor: &Actor, old: &MemoryRow, place: &Place) -> Result<()> {
    if old.deleted {
        return Err(admit::refuse(old, Code::Deleted, "the memory is deleted"));
    }
    if old.superseded_by.is_some() {
        return Err(admit::refuse(old, Code::AlreadySuperseded, "the memory was replaced already"));
    }
    if old.pinned && !actor.kind.is_person() {
        return Err(admit::refuse(
            old,
            Code::MachineWriterDenied,
            "only a person may replace a pinned memory",
        ));
    }
    if (&old.place.scope, old.place.visibility) != (&place.scope, place.visibility) {
        return Err(admit::refuse(
            old,
            Code::ScopeMismatch,
            "the two memories differ in scope or visibility",
        ));
    }
    Ok(())
}

/// Whether the replacements of `row` lead to `id`.
fn leads_to(tx: &WriteTx<'_>, row: &MemoryRow, id: &MemoryId) -> Result<bool> {
    let mut next = row.superseded_by.clone();
    for _ in 0..CHAIN {
        match next {
            None => return Ok(false),
            Some(step) if step == *id => return Ok(true),
            Some(step) => {
                next = row::find(&tx.as_read(), &row.agent, &step)?.and_then(|row| row.superseded_by);
            }
        }
    }
    Ok(true)
}

/// Writes the replacement and its history, without asking.
pub(super) fn mark(
    tx: &WriteTx<'_>,
    actor: &Actor,
    old: &MemoryRow,
    (by, reason): (&MemoryId, Option<&str>),
) -> Result<()> {
    const SQL: &str = "UPDATE memories SET superseded_by = ?3, superseded_at = ?4, superseded_reason = ?5,
          version = version + 1, updated_at = ?4, updated_by = ?6
        WHERE agent_id = ?1 AND id = ?2 AND superseded_by IS NULL";
    let now = tx.now().to_string();
    tx.execute(SQL, params![old.agent.as_str(), old.id.as_str(), by.as_str(), now, reason, actor.name])?;
    let event = Event::new(&old.id, EventKind::Superseded, reason).with("by", by.as_str());
    history::record(tx, &old.agent, actor, event)
}

#[cfg(test)]
mod tests;

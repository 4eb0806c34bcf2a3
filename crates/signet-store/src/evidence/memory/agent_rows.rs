//! All rows of one agent: archived when the agent is, or removed for good with a receipt.
//!
//! Both work in steps, so that no write closure grows with the agent.

use rusqlite::params;
use serde_json::json;
use signet_model::memory::Warrant;
use signet_model::memory::forget::Force;
use signet_model::{Actor, AgentId};

use crate::audit::history::{self, Event, EventKind};
use crate::audit::receipt::{self, ReceiptMode};
use crate::control::{agents, idempotency};
use crate::evidence::memory::forget;
use crate::evidence::memory::purge::{Removed, removed_json, take_row};
use crate::evidence::memory::row::{COLUMNS, MemoryRow, read};
use crate::{Result, WriteTx};

/// Rows of one step.
pub const STEP: usize = 200;

/// Archives up to [`STEP`] live rows of an agent and says how many. 0 = done, and the agent is
/// archived with them. An archived row is by id only and stands in no duplicate's way.
pub fn archive_step(tx: &WriteTx<'_>, agent: &AgentId, actor: &Actor, reason: &str) -> Result<usize> {
    const SQL: &str = "UPDATE memories SET visibility = 'archived', dedupe = 'none', idempotency_key = NULL,
          version = version + 1, updated_at = ?3, updated_by = ?4
        WHERE agent_id = ?1 AND id = ?2";
    let rows = some(tx, agent, "m.is_deleted = 0 AND m.visibility <> 'archived'")?;
    let now = tx.now().to_string();
    for row in &rows {
        tx.execute(SQL, params![agent.as_str(), row.id.as_str(), now, actor.name])?;
        let event =
            Event::new(&row.id, EventKind::Updated, Some(reason)).with("changedFields", vec!["visibility"]);
        history::record(tx, agent, actor, event)?;
    }
    if rows.is_empty() {
        agents::mark_archived(tx, agent)?;
    }
    Ok(rows.len())
}

/// Removes up to [`STEP`] rows of an agent, pinned and forgotten ones included, without cold copies,
/// and adds what went. Answers the number of rows; 0 = done.
pub fn purge_step(
    tx: &WriteTx<'_>,
    agent: &AgentId,
    actor: &Actor,
    reason: &str,
    removed: &mut Removed,
) -> Result<usize> {
    let rows = some(tx, agent, "1")?;
    for row in &rows {
        if !row.deleted {
            forget::bury(tx, actor, row, Force::Yes, &Warrant::because(reason))?;
        }
        take_row(tx, actor, row, (None, reason), removed)?;
    }
    Ok(rows.len())
}

/// Ends the removal of an agent: cold copies and kept answers go, the agent is archived (its row-id range is never used
/// again), and the receipt of all steps is stored. Answers the receipt's id and all
/// counts.
pub fn finish_purge(
    tx: &WriteTx<'_>,
    agent: &AgentId,
    actor: &Actor,
    reason: &str,
    mut removed: Removed,
) -> Result<(String, Removed)> {
    const COLD: &str = "DELETE FROM memories_cold WHERE agent_id = ?1";
    removed.push(("memories_cold", tx.execute(COLD, [agent.as_str()])?));
    removed.push(("idempotency_keys", idempotency::drop_answers(tx, agent)?));
    removed.retain(|(_, count)| *count > 0);
    agents::mark_archived(tx, agent)?;
    tx.scrub_after_commit();
    let body = json!({ "agent": agent.as_str(), "removed": removed_json(&removed) });
    let id = receipt::insert(tx, agent, actor, ReceiptMode::Agent, (reason, &body))?;
    Ok((id, removed))
}

fn some(tx: &WriteTx<'_>, agent: &AgentId, condition: &str) -> Result<Vec<MemoryRow>> {
    let sql =
        format!("SELECT {COLUMNS} FROM memories AS m WHERE m.agent_id = ?1 AND {condition} LIMIT {STEP}");
    let mut statement = tx.prepare(&sql)?;
    let mut rows = statement.query([agent.as_str()])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests;

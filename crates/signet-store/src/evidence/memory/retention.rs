//! The end of forgetting: what was forgotten more than 30 days ago is purged.

use rusqlite::params;
use serde_json::{Value, json};
use signet_model::memory::forget::RETENTION_DAYS;
use signet_model::{Actor, ActorKind, AgentId};

use crate::audit::receipt::{self, ReceiptMode};
use crate::evidence::memory::purge::{Removed, removed_json, take_row};
use crate::evidence::memory::row::{COLUMNS, MemoryRow, read};
use crate::{Result, WriteTx};

/// Rows of one step.
pub const STEP: usize = 100;

const DUE: &str = "m.agent_id = ?1 AND m.is_deleted = 1 AND m.deleted_at < ?2 ORDER BY m.deleted_at LIMIT ?3";

/// Purges up to [`STEP`] rows of an agent whose time to recover is over, keeps a cold copy of each, and
/// stores one receipt for them. Answers the number of rows; 0 = nothing is due.
pub fn sweep_step(tx: &WriteTx<'_>, agent: &AgentId) -> Result<usize> {
    let actor = Actor::new("retention", ActorKind::Pipeline);
    let reason = format!("forgotten for more than {RETENTION_DAYS} days");
    let rows = due(tx, agent)?;
    let mut removed = Removed::new();
    for row in &rows {
        take_row(tx, &actor, row, (Some("retention"), &reason), &mut removed)?;
    }
    if !rows.is_empty() {
        removed.retain(|(_, count)| *count > 0);
        let ids: Value = rows
            .iter()
            .map(|row| json!({ "id": row.id.as_str(), "contentHash": row.content_hash }))
            .collect();
        let body = json!({ "memories": ids, "removed": removed_json(&removed) });
        receipt::insert(tx, agent, &actor, ReceiptMode::Retention, (&reason, &body))?;
    }
    Ok(rows.len())
}

fn due(tx: &WriteTx<'_>, agent: &AgentId) -> Result<Vec<MemoryRow>> {
    let before = tx.now().plus_millis(-RETENTION_DAYS * 86_400_000).to_string();
    let mut statement = tx.prepare(&format!("SELECT {COLUMNS} FROM memories AS m WHERE {DUE}"))?;
    let mut rows =
        statement.query(params![agent.as_str(), before, i64::try_from(STEP).unwrap_or(i64::MAX)])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests;

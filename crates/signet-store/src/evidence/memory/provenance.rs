//! Where a memory comes from, and what stands beside it.

use rusqlite::params;
use signet_model::{AgentId, AgentScope, MemoryId, Timestamp};

use crate::evidence::memory::get::{self, Bin};
use crate::evidence::memory::{MemoryRow, hints};
use crate::{ReadTx, Result};

/// Origin and companions of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// The row.
    pub row: MemoryRow,
    /// Rows that it replaced.
    pub derived_from: Vec<MemoryId>,
    /// Questions it answers.
    pub hints: Vec<String>,
}

/// What is known about the origin of a memory; `None` as in [`get::get`].
pub fn provenance(
    tx: &ReadTx<'_>,
    scope: &AgentScope,
    id: &MemoryId,
    now: Timestamp,
) -> Result<Option<Provenance>> {
    let Some(found) = get::get(tx, scope, id, (Bin::Closed, now))? else { return Ok(None) };
    let row = found.row;
    Ok(Some(Provenance {
        derived_from: replaced(tx, &row.agent, id)?,
        hints: hints::list(tx, &row.agent, id)?,
        row,
    }))
}

fn replaced(tx: &ReadTx<'_>, agent: &AgentId, by: &MemoryId) -> Result<Vec<MemoryId>> {
    const SQL: &str = "SELECT id FROM memories WHERE agent_id = ?1 AND superseded_by = ?2 AND is_deleted = 0
        ORDER BY created_at, id LIMIT 100";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map(params![agent.as_str(), by.as_str()], |row| row.get::<_, String>(0))?;
    Ok(rows.map(|id| id.map(MemoryId::new)).collect::<rusqlite::Result<_>>()?)
}

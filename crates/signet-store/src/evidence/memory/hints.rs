//! Hints: questions that a memory answers, indexed beside its text.

use rusqlite::params;
use signet_model::memory::prepare::Hint;
use signet_model::{AgentId, MemoryId};

use crate::control::agents;
use crate::{ReadTx, Result, WriteTx};

/// Adds supplied hints that the memory has not, and says how many.
pub(super) fn add(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId, hints: &[Hint]) -> Result<usize> {
    const SQL: &str =
        "INSERT INTO memory_hints (rid, agent_id, memory_id, hint, search_text, origin, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, 'supplied', ?6) ON CONFLICT DO NOTHING";
    if hints.is_empty() {
        return Ok(0);
    }
    let first = agents::take_rids(tx, agent, i64::try_from(hints.len()).unwrap_or(i64::MAX))?;
    let now = tx.now().to_string();
    let mut added = 0;
    for (rid, hint) in (first..).zip(hints) {
        added +=
            tx.execute(SQL, params![rid, agent.as_str(), memory.as_str(), hint.text, hint.search, now])?;
    }
    Ok(added)
}

/// Removes generated hints: they were made for a text that changed.
pub(super) fn drop_generated(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<usize> {
    const SQL: &str =
        "DELETE FROM memory_hints WHERE agent_id = ?1 AND memory_id = ?2 AND origin = 'generated'";
    tx.execute(SQL, params![agent.as_str(), memory.as_str()])
}

/// Removes all hints of a memory and says how many there were.
pub(super) fn drop_all(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<usize> {
    const SQL: &str = "DELETE FROM memory_hints WHERE agent_id = ?1 AND memory_id = ?2";
    tx.execute(SQL, params![agent.as_str(), memory.as_str()])
}

/// Hints of a memory in the order they came.
pub(super) fn list(tx: &ReadTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<Vec<String>> {
    const SQL: &str =
        "SELECT hint FROM memory_hints WHERE agent_id = ?1 AND memory_id = ?2 ORDER BY rid LIMIT 100";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map(params![agent.as_str(), memory.as_str()], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

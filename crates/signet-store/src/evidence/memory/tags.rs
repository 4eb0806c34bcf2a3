//! The look-up rows of tags; the column `memories.tags` is what they are made from.

use rusqlite::params;
use signet_model::{AgentId, MemoryId};

use crate::{Result, WriteTx};

/// Adds look-up rows.
pub(crate) fn add(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId, tags: &[String]) -> Result<()> {
    const SQL: &str =
        "INSERT INTO memory_tags (agent_id, tag, memory_id) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    for tag in tags {
        tx.execute(SQL, params![agent.as_str(), tag, memory.as_str()])?;
    }
    Ok(())
}

/// Removes the look-up rows of a memory and says how many there were.
pub(crate) fn drop_all(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<usize> {
    const SQL: &str = "DELETE FROM memory_tags WHERE agent_id = ?1 AND memory_id = ?2";
    tx.execute(SQL, params![agent.as_str(), memory.as_str()])
}

//! Access counts: moved by explicit recall, after its answer. No text changes, so no index does.

use rusqlite::params;
use signet_model::{AgentId, MemoryId};

use crate::{Result, WriteTx};

/// Counts one access of each row; unknown rows are left out.
pub fn record_access(tx: &WriteTx<'_>, recalled: &[(AgentId, MemoryId)]) -> Result<()> {
    const SQL: &str = "UPDATE memories SET access_count = access_count + 1, last_accessed = ?3
        WHERE agent_id = ?1 AND id = ?2 AND is_deleted = 0";
    let now = tx.now().to_string();
    for (agent, id) in recalled {
        tx.execute(SQL, params![agent.as_str(), id.as_str(), now])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

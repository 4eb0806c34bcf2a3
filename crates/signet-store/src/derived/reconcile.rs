//! Upkeep of vectors: finds memories that have neither a sound vector nor a work row, and vectors whose
//! memory is gone. Triggers keep both right; this finds what was broken behind them.

use rusqlite::params;
use signet_model::{AgentId, MemoryId};

use crate::derived::cosine::is_sound;
use crate::derived::embedding::{SourceType, drop_vectors};
use crate::derived::profile::ActiveProfile;
use crate::{ReadTx, Result, WriteTx};

/// What one step found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Live memories that need a vector and have no work row.
    pub missing: Vec<(AgentId, MemoryId)>,
    /// Vectors whose memory is not live.
    pub orphans: Vec<(AgentId, MemoryId)>,
    /// Where the next step goes on; `None` after the last row.
    pub next: Option<i64>,
}

const AGENT_FROM: &str = "SELECT id, no FROM agents WHERE no >= ?1 ORDER BY no LIMIT 1";
// A plus before a column keeps its index out: the range of row ids is the agent's own, and already in order.
const MEMORIES: &str = "SELECT m.rid, m.id, e.vector FROM memories m
    LEFT JOIN embeddings e ON e.agent_id = m.agent_id AND e.source_type = 'memory' AND e.source_id = m.id
      AND e.part = 0 AND e.profile_id = ?2 AND e.content_hash = m.content_hash
  WHERE +m.agent_id = ?1 AND m.rid > ?3 AND m.rid < ?4 AND +m.is_deleted = 0
    AND NOT EXISTS (SELECT 1 FROM embedding_work w WHERE w.agent_id = m.agent_id AND w.source_type = 'memory'
      AND w.source_id = m.id AND w.part = 0)
  ORDER BY m.rid LIMIT ?5";
const ORPHANS: &str = "SELECT e.source_id FROM embeddings e
  WHERE +e.agent_id = ?1 AND e.rid > ?2 AND e.rid <= ?3 AND +e.source_type = 'memory'
    AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.agent_id = e.agent_id AND m.id = e.source_id AND m.is_deleted = 0)
  ORDER BY e.rid LIMIT ?4";

/// Looks at the next `limit` live memories after row id `after` (0 = from the start), of one agent at most.
pub fn inspect(tx: &ReadTx<'_>, active: &ActiveProfile, after: i64, limit: usize) -> Result<Found> {
    let agent = tx
        .prepare(AGENT_FROM)?
        .query_row([after >> 40], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
    let Some((agent, no)) = rusqlite::OptionalExtension::optional(agent)? else {
        return Ok(Found::default());
    };
    let (start, end) = (after.max(no << 40), (no + 1) << 40);
    let owner = AgentId::new(agent.as_str());
    let mut found = Found::default();
    let mut statement = tx.prepare(MEMORIES)?;
    let mut rows = statement.query(params![agent, active.id, start, end, limit as i64])?;
    let (mut seen, mut last) = (0, start);
    while let Some(row) = rows.next()? {
        (seen, last) = (seen + 1, row.get(0)?);
        let sound = row.get_ref(2)?.as_blob().is_ok_and(|blob| is_sound(blob, active.dimensions));
        if !sound {
            found.missing.push((owner.clone(), MemoryId::new(row.get::<_, String>(1)?)));
        }
    }
    let reached = if seen < limit { end - 1 } else { last };
    let mut statement = tx.prepare(ORPHANS)?;
    let rows =
        statement.query_map(params![agent, start, reached, limit as i64], |row| row.get::<_, String>(0))?;
    for id in rows {
        found.orphans.push((owner.clone(), MemoryId::new(id?)));
    }
    found.next = Some(if seen < limit { end } else { last });
    Ok(found)
}

const QUEUE: &str = "INSERT INTO embedding_work
    (agent_id, source_type, source_id, content_hash, next_attempt_at, enqueued_at)
  SELECT agent_id, 'memory', id, content_hash, ?3, ?3 FROM memories WHERE agent_id = ?1 AND id = ?2 AND is_deleted = 0
  ON CONFLICT DO NOTHING";

/// Repairs what a step found: queues the missing, removes the orphans. Safe when the rows changed
/// meanwhile: a memory that has a vector by now is embedded once more, nothing else.
pub fn repair(tx: &WriteTx<'_>, found: &Found) -> Result<()> {
    for (agent, memory) in found.missing.iter().chain(&found.orphans) {
        drop_vectors(tx, agent, SourceType::Memory, memory.as_str())?;
        tx.execute(QUEUE, params![agent.as_str(), memory.as_str(), tx.now().to_string()])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

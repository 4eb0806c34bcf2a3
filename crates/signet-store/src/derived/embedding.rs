//! Canonical vectors: one row of little-endian f32 for each (agent, source, part, space).
//!
//! A vector is stored only while its source still holds the text it was made from, and the mirror's row
//! is written in the same closure. Vectors of unequal spaces are never mixed.

use rusqlite::{OptionalExtension, params};
use signet_model::{AgentId, MemoryId};

use crate::derived::cosine::{is_sound, to_blob};
use crate::derived::profile::ActiveProfile;
use crate::derived::vec::{self, MirrorRow};
use crate::{ReadTx, Result, WriteTx};

/// What a vector stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceType {
    /// A memory; the source id is the memory's.
    Memory,
}

impl SourceType {
    /// The word in `embeddings.source_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
        }
    }
}

/// A vector that was made from a text, ready to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Owner.
    pub agent: AgentId,
    /// The memory.
    pub memory: MemoryId,
    /// Hash of the text the vector was made from.
    pub content_hash: String,
    /// The vector.
    pub vector: Vec<f32>,
    /// The text was cut to fit the model.
    pub truncated: bool,
}

/// What became of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// It is stored, and nothing waits for this source any more.
    Stored,
    /// The text has changed meanwhile; the work row stays for the new text.
    Changed,
    /// The source is gone.
    Gone,
    /// Wrong length, not finite, or zero; the work row stays.
    Unsound,
}

const LIVE_HASH: &str =
    "SELECT content_hash FROM memories WHERE agent_id = ?1 AND id = ?2 AND is_deleted = 0";
const NEXT_RID: &str =
    "UPDATE agents SET next_seq = next_seq + 1 WHERE id = ?1 RETURNING (no << 40) | (next_seq - 1)";
const INSERT: &str = "INSERT INTO embeddings
  (rid, agent_id, id, source_type, source_id, profile_id, content_hash, dimensions, vector, truncated, created_at)
  VALUES (?1, ?2, ?3, 'memory', ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
const WORK_DONE: &str = "DELETE FROM embedding_work
  WHERE agent_id = ?1 AND source_type = 'memory' AND source_id = ?2 AND part = 0 AND content_hash = ?3";

/// Stores one vector of the active space, in place of an older one of the same source.
pub fn store(tx: &WriteTx<'_>, active: &ActiveProfile, made: &Made) -> Result<Stored> {
    let (agent, memory) = (made.agent.as_str(), made.memory.as_str());
    let live = tx.prepare(LIVE_HASH)?.query_row([agent, memory], |row| row.get::<_, String>(0)).optional()?;
    match live {
        None => return Ok(Stored::Gone),
        Some(hash) if hash != made.content_hash => return Ok(Stored::Changed),
        Some(_) => {}
    }
    let blob = to_blob(&made.vector);
    if !is_sound(&blob, active.dimensions) {
        return Ok(Stored::Unsound);
    }
    drop_vectors(tx, &made.agent, SourceType::Memory, memory)?;
    let rid: i64 = tx.prepare(NEXT_RID)?.query_row([agent], |row| row.get(0))?;
    tx.execute(
        INSERT,
        params![
            rid,
            agent,
            tx.mint(),
            memory,
            active.id,
            made.content_hash,
            active.dimensions as i64,
            blob,
            made.truncated,
            tx.now().to_string()
        ],
    )?;
    vec::insert(tx, MirrorRow { rid, agent, source_type: "memory", vector: &blob })?;
    tx.execute(WORK_DONE, [agent, memory, made.content_hash.as_str()])?;
    Ok(Stored::Stored)
}

const RIDS: &str = "SELECT rid FROM embeddings WHERE agent_id = ?1 AND source_type = ?2 AND source_id = ?3";
const DELETE: &str = "DELETE FROM embeddings WHERE agent_id = ?1 AND rid = ?2";

/// Removes every vector of a source, canonical rows and mirror rows alike. Returns how many there were.
///
/// Called in the closure that forgets, edits or purges the source.
pub fn drop_vectors(tx: &WriteTx<'_>, agent: &AgentId, source: SourceType, source_id: &str) -> Result<usize> {
    let rids = tx
        .prepare(RIDS)?
        .query_map([agent.as_str(), source.as_str(), source_id], |row| row.get::<_, i64>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for rid in &rids {
        vec::delete(tx, *rid)?;
        tx.execute(DELETE, params![agent.as_str(), rid])?;
    }
    Ok(rids.len())
}

const HAS: &str = "SELECT EXISTS (SELECT 1 FROM embeddings e
    JOIN memories m ON m.agent_id = e.agent_id AND m.id = e.source_id AND m.content_hash = e.content_hash
    JOIN embedding_index_state s ON s.id = 1 AND s.active_profile_id = e.profile_id
  WHERE e.agent_id = ?1 AND e.source_type = 'memory' AND e.source_id = ?2)";

/// Whether the memory's present text has a vector of the active space.
pub fn is_embedded(tx: &ReadTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<bool> {
    Ok(tx.prepare(HAS)?.query_row([agent.as_str(), memory.as_str()], |row| row.get(0))?)
}

#[cfg(test)]
mod tests;

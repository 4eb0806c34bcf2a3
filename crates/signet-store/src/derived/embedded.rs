//! Embedded memories as a list, and a look at the newest vectors for the health page.

use rusqlite::types::Value;
use rusqlite::{Row, params, params_from_iter};
use signet_model::recall::Filters;
use signet_model::{AgentScope, MemoryId};

use crate::derived::cosine::is_sound;
use crate::derived::eligible::{Predicate, owners, predicate};
use crate::derived::profile::{self, ActiveProfile};
use crate::{ReadTx, Result};

/// One embedded memory.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedMemory {
    /// Memory.
    pub id: MemoryId,
    /// Its text.
    pub content: String,
    /// Author.
    pub who: Option<String>,
    /// 0 to 1.
    pub importance: f64,
    /// Memory type.
    pub kind: String,
    /// Comma-joined tags.
    pub tags: String,
    /// `memories.source_type`.
    pub source_type: String,
    /// `memories.source_id`; empty when there is none.
    pub source_id: String,
    /// When it was made, as stored.
    pub created_at: String,
    /// Its vector in the active space; a stored blob that is no vector reads as far as it goes.
    pub vector: Vec<f32>,
}

/// One page of embedded memories.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EmbeddedPage {
    /// Newest first.
    pub rows: Vec<EmbeddedMemory>,
    /// How many there are, counted up to [`COUNTED`].
    pub total: usize,
}

/// A total is counted up to here.
pub const COUNTED: usize = 10_000;

const COLUMNS: &str = "m.id, m.content, m.who, m.importance, m.type, m.tags, m.source_type, m.source_id,
    m.created_at, e.vector";
// CROSS JOIN keeps the order of the tables: newest memories first, so that a page ends early.
const ROWS: &str = "FROM memories m CROSS JOIN embeddings e
    ON e.agent_id = m.agent_id AND e.source_type = 'memory' AND e.source_id = m.id AND e.part = 0 AND e.profile_id = ?
  WHERE m.agent_id = ? AND ";

/// The reader's own memories that have a vector of the active space and that it may see.
pub fn list(tx: &ReadTx<'_>, scope: &AgentScope, limit: usize, offset: usize) -> Result<EmbeddedPage> {
    let Some(active) = profile::active(tx)? else { return Ok(EmbeddedPage::default()) };
    let Some(owner) = owners(tx, scope)?.into_iter().find(|owner| owner.own) else {
        return Ok(EmbeddedPage::default());
    };
    let Predicate { sql, params } = predicate(&owner, scope, &Filters::default());
    let mut bound = vec![Value::Integer(active.id), Value::Text(owner.agent.as_str().to_owned())];
    bound.extend(params);
    let count = format!("SELECT count(*) FROM (SELECT 1 {ROWS}({sql}) LIMIT {COUNTED})");
    let total: i64 = tx.prepare(&count)?.query_row(params_from_iter(&bound), |row| row.get(0))?;
    bound.extend([limit, offset].map(|n| Value::Integer(n as i64)));
    let page = format!("SELECT {COLUMNS} {ROWS}({sql}) ORDER BY m.rid DESC LIMIT ? OFFSET ?");
    let mut statement = tx.prepare(&page)?;
    let rows = statement.query_map(params_from_iter(&bound), row)?.collect::<rusqlite::Result<_>>()?;
    Ok(EmbeddedPage { rows, total: total as usize })
}

fn row(row: &Row<'_>) -> rusqlite::Result<EmbeddedMemory> {
    let blob = row.get_ref(9)?.as_blob()?;
    Ok(EmbeddedMemory {
        id: MemoryId::new(row.get::<_, String>(0)?),
        content: row.get(1)?,
        who: row.get(2)?,
        importance: row.get(3)?,
        kind: row.get(4)?,
        tags: row.get(5)?,
        source_type: row.get(6)?,
        source_id: row.get(7)?,
        created_at: row.get(8)?,
        vector: blob.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
    })
}

/// What a look at an agent's newest vectors found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sample {
    /// Vectors looked at.
    pub rows: usize,
    /// Of another length than the space has.
    pub wrong_length: usize,
    /// Zero, or with values that are not finite.
    pub unsound: usize,
    /// Without a live memory.
    pub orphaned: usize,
}

const NEWEST: &str = "SELECT e.vector, EXISTS (SELECT 1 FROM memories m
      WHERE m.agent_id = e.agent_id AND m.id = e.source_id AND m.is_deleted = 0)
    FROM embeddings e WHERE e.agent_id = ?1 AND e.profile_id = ?2 ORDER BY e.rid DESC LIMIT ?3";

/// Looks at the agent's newest `limit` vectors.
pub fn sample(tx: &ReadTx<'_>, scope: &AgentScope, active: &ActiveProfile, limit: usize) -> Result<Sample> {
    let mut sample = Sample::default();
    let mut statement = tx.prepare(NEWEST)?;
    let mut rows = statement.query(params![scope.agent().as_str(), active.id, limit as i64])?;
    while let Some(row) = rows.next()? {
        let blob = row.get_ref(0)?.as_blob().unwrap_or_default();
        sample.rows += 1;
        if blob.len() != active.dimensions * 4 {
            sample.wrong_length += 1;
        } else if !is_sound(blob, active.dimensions) {
            sample.unsound += 1;
        }
        if !row.get::<_, bool>(1)? {
            sample.orphaned += 1;
        }
    }
    Ok(sample)
}

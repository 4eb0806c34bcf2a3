//! The rows that channels found, read at once with all that ranking and the answer need.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params};
use signet_model::memory::Visibility;
use signet_model::recall::{Audience, Recalled};
use signet_model::{AgentId, MemoryId, Timestamp, safety};

use crate::derived::cosine::QueryVector;
use crate::derived::eligible::Owner;
use crate::derived::fts;
use crate::{ReadTx, Result, StoreError};

/// The query's vector and the space it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Probe<'a> {
    /// The active space.
    pub profile_id: i64,
    /// The vector.
    pub vector: &'a QueryVector,
}

/// One row with everything that ranks it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Row id.
    pub rid: i64,
    /// The row; its text is whole.
    pub memory: Recalled,
    /// What the index sees, when that is not the text itself.
    pub search_text: Option<String>,
    /// Text for the comparison of equal texts.
    pub normalized: String,
    /// Search forms of its hints.
    pub hints: Vec<String>,
    /// Times it was recalled.
    pub access_count: u64,
    /// Last recall.
    pub last_accessed: Option<Timestamp>,
    /// Exact cosine of its stored vector with the probe.
    pub cosine: Option<f64>,
}

impl Candidate {
    /// The text as the index sees it.
    pub fn indexed(&self) -> &str {
        self.search_text.as_deref().unwrap_or(&self.memory.content)
    }
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Loaded {
    /// Rows in the order in which they were asked for.
    pub rows: Vec<Candidate>,
    /// Ids of rows without a present safety judgement that a scan just now did not pass.
    pub hostile: Vec<String>,
}

pub(crate) const ROWS: &str =
    "SELECT m.rid, m.id, m.content, m.search_text, m.normalized_content, m.type, m.tags, m.pinned,
    m.importance, m.confidence, m.who, m.project, m.scope, m.visibility, m.source_type, m.source_id,
    m.source_path, m.session_id, m.created_at, m.occurred_at, m.observed_at, m.valid_from, m.valid_until,
    m.access_count, m.last_accessed, e.vector, s.status IS NOT NULL AS judged
  FROM json_each(?2) j CROSS JOIN memories m ON m.rid = j.value
  LEFT JOIN embeddings e ON e.agent_id = m.agent_id AND e.source_type = 'memory' AND e.source_id = m.id
    AND e.part = 0 AND e.profile_id = ?3
  LEFT JOIN memory_content_safety s ON s.agent_id = m.agent_id AND s.source_kind = 'memory'
    AND s.source_id = m.id AND s.policy_version = ?4 AND s.content_hash = m.content_hash
  WHERE m.agent_id = ?1";

/// Reads rows of one owner by their row ids. A row that is not there is left out.
pub fn load(
    tx: &ReadTx<'_>,
    owner: &Owner,
    audience: Audience,
    rids: &[i64],
    probe: Option<Probe<'_>>,
) -> Result<Loaded> {
    let profile = probe.map_or(Value::Null, |probe| Value::Integer(probe.profile_id));
    let mut loaded = Loaded::default();
    let mut statement = tx.prepare(ROWS)?;
    let mut rows =
        statement.query(params![owner.agent.as_str(), fts::json(rids), profile, safety::POLICY])?;
    while let Some(row) = rows.next()? {
        let mut candidate = candidate(row, &owner.agent)?;
        if !row.get::<_, bool>("judged")? && !audience.admits(safety::scan(&candidate.memory.content).status)
        {
            loaded.hostile.push(candidate.memory.id.to_string());
            continue;
        }
        if let Some(probe) = probe {
            let blob = row.get_ref("vector")?.as_blob_or_null().unwrap_or_default();
            candidate.cosine = blob.and_then(|blob| probe.vector.cosine(blob)).map(f64::from);
        }
        loaded.rows.push(candidate);
    }
    let mut hints = hints(tx, owner, rids)?;
    for row in &mut loaded.rows {
        row.hints = hints.remove(&row.rid).unwrap_or_default();
    }
    Ok(loaded)
}

fn candidate(row: &Row<'_>, agent: &AgentId) -> Result<Candidate> {
    let rid: i64 = row.get("rid")?;
    let corrupt = |column| StoreError::Corrupt { table: "memories", column, row: rid.to_string() };
    let content: String = row.get("content")?;
    let visibility: String = row.get("visibility")?;
    let created_at: String = row.get("created_at")?;
    let last_accessed: Option<String> = row.get("last_accessed")?;
    let memory = Recalled {
        agent: agent.clone(),
        id: MemoryId::new(row.get::<_, String>("id")?),
        content_length: content.chars().count(),
        content,
        truncated: false,
        kind: row.get("type")?,
        tags: row.get("tags")?,
        pinned: row.get("pinned")?,
        importance: row.get("importance")?,
        confidence: row.get("confidence")?,
        who: row.get("who")?,
        project: row.get("project")?,
        scope: row.get("scope")?,
        visibility: Visibility::parse(&visibility).ok_or_else(|| corrupt("visibility"))?,
        source_type: row.get("source_type")?,
        source_id: row.get("source_id")?,
        source_path: row.get("source_path")?,
        session_id: row.get("session_id")?,
        created_at: Timestamp::parse_stored(&created_at).ok_or_else(|| corrupt("created_at"))?,
        occurred_at: row.get("occurred_at")?,
        observed_at: row.get("observed_at")?,
        valid_from: row.get("valid_from")?,
        valid_until: row.get("valid_until")?,
    };
    Ok(Candidate {
        rid,
        memory,
        search_text: row.get("search_text")?,
        normalized: row.get("normalized_content")?,
        hints: Vec::new(),
        access_count: row.get::<_, i64>("access_count")?.unsigned_abs(),
        last_accessed: last_accessed.as_deref().and_then(Timestamp::parse_stored),
        cosine: None,
    })
}

/// The row id of a memory of the owner.
pub fn find_rid(tx: &ReadTx<'_>, owner: &Owner, id: &MemoryId) -> Result<Option<i64>> {
    const FIND: &str = "SELECT rid FROM memories WHERE agent_id = ?1 AND id = ?2";
    let row = tx.prepare(FIND)?.query_row([owner.agent.as_str(), id.as_str()], |row| row.get(0));
    Ok(row.optional()?)
}

/// The stored vector of a memory in a space; `None` when it has none that can be scored.
pub fn vector(tx: &ReadTx<'_>, owner: &Owner, id: &MemoryId, profile_id: i64) -> Result<Option<QueryVector>> {
    const FIND: &str = "SELECT vector FROM embeddings WHERE agent_id = ?1 AND source_type = 'memory'
        AND source_id = ?2 AND part = 0 AND profile_id = ?3";
    let blob: Option<Vec<u8>> = tx
        .prepare(FIND)?
        .query_row(params![owner.agent.as_str(), id.as_str(), profile_id], |row| row.get(0))
        .optional()?;
    Ok(blob.and_then(|blob| {
        QueryVector::new(blob.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
    }))
}

/// Hints by the row id of their memory.
fn hints(tx: &ReadTx<'_>, owner: &Owner, rids: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    const HINTS: &str = "SELECT m.rid, COALESCE(h.search_text, h.hint)
        FROM json_each(?2) j CROSS JOIN memories m ON m.rid = j.value
        CROSS JOIN memory_hints h ON h.agent_id = m.agent_id AND h.memory_id = m.id
        WHERE m.agent_id = ?1 ORDER BY h.rid";
    let mut found: HashMap<i64, Vec<String>> = HashMap::new();
    let mut statement = tx.prepare(HINTS)?;
    let mut rows = statement.query(params![owner.agent.as_str(), fts::json(rids)])?;
    while let Some(row) = rows.next()? {
        found.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(found)
}

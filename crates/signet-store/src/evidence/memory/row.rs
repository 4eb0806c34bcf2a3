//! A stored memory as it stands in its table.

use rusqlite::{OptionalExtension, Row, params};
use signet_model::memory::{Place, Visibility};
use signet_model::{AgentId, MemoryId};

use crate::{ReadTx, Result, StoreError};

/// Columns of a [`MemoryRow`] over `memories AS m`, in the order that [`read`] takes them.
pub(crate) const COLUMNS: &str = "m.rid, m.agent_id, m.id, m.type, m.content, m.content_hash, m.dedupe,
  m.group_hash, m.group_id, m.group_index, m.group_count, m.confidence, m.importance, m.source_type,
  m.source_id, m.source_path, m.tags, m.who, m.why, m.runtime_path, m.project, m.scope, m.visibility,
  m.session_id, m.session_key, m.created_at, m.updated_at, m.updated_by, m.last_accessed, m.access_count,
  m.version, m.pinned, m.is_deleted, m.deleted_at, m.superseded_by, m.memory_kind, m.evidence_meta,
  m.occurred_at, m.observed_at, m.source_created_at, m.valid_from, m.valid_until, m.review_after, m.stale_at,
  m.idempotency_key, m.extraction_status, m.embedding_model";

/// One row. Instants are in their stored form, RFC 3339 UTC with milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryRow {
    /// Row id.
    pub rid: i64,
    /// Owner.
    pub agent: AgentId,
    /// Id.
    pub id: MemoryId,
    /// Type.
    pub kind: String,
    /// Text.
    pub content: String,
    /// Content hash.
    pub content_hash: String,
    /// Which unique index watches it.
    pub dedupe: String,
    /// Content hash of the long text it is a slice of.
    pub group_hash: Option<String>,
    /// Id of the group of slices.
    pub group_id: Option<String>,
    /// Place in the group.
    pub group_index: Option<i64>,
    /// Slices of the group.
    pub group_count: Option<i64>,
    /// 0..=1.
    pub confidence: f64,
    /// 0..=1.
    pub importance: f64,
    /// Source type.
    pub source_type: String,
    /// Id in the source; empty = none.
    pub source_id: String,
    /// Path or address.
    pub source_path: Option<String>,
    /// Comma-joined tags.
    pub tags: String,
    /// Author.
    pub who: Option<String>,
    /// Why it was stored.
    pub why: Option<String>,
    /// `plugin` or `legacy`.
    pub runtime_path: Option<String>,
    /// Project, scope and visibility.
    pub place: Place,
    /// Session id.
    pub session_id: Option<String>,
    /// Session key.
    pub session_key: Option<String>,
    /// When it was said.
    pub created_at: String,
    /// Last change.
    pub updated_at: String,
    /// Who changed it last.
    pub updated_by: String,
    /// Last explicit recall.
    pub last_accessed: Option<String>,
    /// Explicit recalls.
    pub access_count: i64,
    /// Version.
    pub version: i64,
    /// Pinned.
    pub pinned: bool,
    /// Forgotten.
    pub deleted: bool,
    /// When it was forgotten.
    pub deleted_at: Option<String>,
    /// The row that replaced it.
    pub superseded_by: Option<MemoryId>,
    /// `episodic`, `semantic` or `derived`.
    pub memory_kind: String,
    /// JSON object: metadata, structured payload, assumed zone, repaired fields.
    pub evidence_meta: String,
    /// When it happened.
    pub occurred_at: Option<String>,
    /// When it was observed.
    pub observed_at: Option<String>,
    /// When its source was made.
    pub source_created_at: Option<String>,
    /// Holds from.
    pub valid_from: Option<String>,
    /// Holds until.
    pub valid_until: Option<String>,
    /// To be looked at again.
    pub review_after: Option<String>,
    /// Held no longer since.
    pub stale_at: Option<String>,
    /// Idempotency key.
    pub idempotency_key: Option<String>,
    /// Kept for adopted databases.
    pub extraction_status: String,
    /// Kept for adopted databases.
    pub embedding_model: Option<String>,
}

impl MemoryRow {
    /// The tags one by one.
    pub fn tag_list(&self) -> Vec<String> {
        self.tags.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
    }
}

/// A row of the agent by id, whatever its state; `None` when there is none.
pub(crate) fn find(tx: &ReadTx<'_>, agent: &AgentId, id: &MemoryId) -> Result<Option<MemoryRow>> {
    let sql = format!("SELECT {COLUMNS} FROM memories AS m WHERE m.agent_id = ?1 AND m.id = ?2");
    let mut statement = tx.prepare(&sql)?;
    let found = statement.query_row(params![agent.as_str(), id.as_str()], |row| Ok(read(row))).optional()?;
    found.transpose()
}

/// Reads the columns of [`COLUMNS`].
pub(crate) fn read(row: &Row<'_>) -> Result<MemoryRow> {
    let id: String = row.get(2)?;
    let visibility: String = row.get(22)?;
    let Some(visibility) = Visibility::parse(&visibility) else {
        return Err(StoreError::Corrupt { table: "memories", column: "visibility", row: id });
    };
    Ok(MemoryRow {
        rid: row.get(0)?,
        agent: AgentId::new(row.get::<_, String>(1)?),
        id: MemoryId::new(id),
        kind: row.get(3)?,
        content: row.get(4)?,
        content_hash: row.get(5)?,
        dedupe: row.get(6)?,
        group_hash: row.get(7)?,
        group_id: row.get(8)?,
        group_index: row.get(9)?,
        group_count: row.get(10)?,
        confidence: row.get(11)?,
        importance: row.get(12)?,
        source_type: row.get(13)?,
        source_id: row.get(14)?,
        source_path: row.get(15)?,
        tags: row.get(16)?,
        who: row.get(17)?,
        why: row.get(18)?,
        runtime_path: row.get(19)?,
        place: Place { project: row.get(20)?, scope: row.get(21)?, visibility },
        session_id: row.get(23)?,
        session_key: row.get(24)?,
        created_at: row.get(25)?,
        updated_at: row.get(26)?,
        updated_by: row.get(27)?,
        last_accessed: row.get(28)?,
        access_count: row.get(29)?,
        version: row.get(30)?,
        pinned: row.get(31)?,
        deleted: row.get(32)?,
        deleted_at: row.get(33)?,
        superseded_by: row.get::<_, Option<String>>(34)?.map(MemoryId::new),
        memory_kind: row.get(35)?,
        evidence_meta: row.get(36)?,
        occurred_at: row.get(37)?,
        observed_at: row.get(38)?,
        source_created_at: row.get(39)?,
        valid_from: row.get(40)?,
        valid_until: row.get(41)?,
        review_after: row.get(42)?,
        stale_at: row.get(43)?,
        idempotency_key: row.get(44)?,
        extraction_status: row.get(45)?,
        embedding_model: row.get(46)?,
    })
}

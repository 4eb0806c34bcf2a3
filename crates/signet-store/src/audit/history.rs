//! What happened to a memory, event by event. A row is written in the closure of the change itself
//! and outlives the memory; only an erase clears its texts.

use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value};
use signet_model::{Actor, AgentId, MemoryId};

use crate::{ReadTx, Result, WriteTx};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// Stored.
    Created,
    /// Changed.
    Updated,
    /// Forgotten.
    Deleted,
    /// Taken back.
    Recovered,
    /// Replaced.
    Superseded,
    /// Removed for good.
    Purged,
    /// Its texts were removed too.
    Erased,
}

impl EventKind {
    /// The word stored in `memory_history.event`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Deleted => "deleted",
            Self::Recovered => "recovered",
            Self::Superseded => "superseded",
            Self::Purged => "purged",
            Self::Erased => "erased",
        }
    }
}

/// One event to be recorded.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(crate) memory: &'a MemoryId,
    pub(crate) kind: EventKind,
    /// Text before; only when it changed.
    pub(crate) old: Option<&'a str>,
    /// Text after; only when it changed.
    pub(crate) new: Option<&'a str>,
    pub(crate) reason: Option<&'a str>,
    pub(crate) metadata: Map<String, Value>,
}

impl<'a> Event<'a> {
    /// An event without texts and metadata.
    pub(crate) fn new(memory: &'a MemoryId, kind: EventKind, reason: Option<&'a str>) -> Self {
        Self { memory, kind, old: None, new: None, reason, metadata: Map::new() }
    }

    /// The same event with a named fact.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.to_owned(), value.into());
        self
    }
}

/// Adds an event under the tenant of the memory.
pub(crate) fn record(tx: &WriteTx<'_>, agent: &AgentId, actor: &Actor, mut event: Event<'_>) -> Result<()> {
    const SQL: &str = "INSERT INTO memory_history (agent_id, id, memory_id, event, old_content, new_content,
        changed_by, actor_type, reason, metadata, session_id, request_id, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    if let Some(claimed) = &actor.claimed_name {
        event.metadata.insert("claimedBy".to_owned(), Value::from(claimed.as_str()));
    }
    let metadata = (!event.metadata.is_empty()).then(|| Value::Object(event.metadata).to_string());
    tx.execute(
        SQL,
        params![
            agent.as_str(),
            tx.mint(),
            event.memory.as_str(),
            event.kind.as_str(),
            event.old,
            event.new,
            actor.name,
            actor.kind.as_str(),
            event.reason,
            metadata,
            actor.session_id,
            actor.request_id,
            tx.now().to_string()
        ],
    )?;
    Ok(())
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Event id.
    pub id: String,
    /// `created`, `updated`, ...
    pub event: String,
    /// Text before, when it changed.
    pub old_content: Option<String>,
    /// Text after, when it changed.
    pub new_content: Option<String>,
    /// Identity.
    pub changed_by: String,
    /// Trust class.
    pub actor_type: String,
    /// Why.
    pub reason: Option<String>,
    /// Named facts.
    pub metadata: Option<Value>,
    /// When.
    pub created_at: String,
    /// Session of the request.
    pub session_id: Option<String>,
    /// Request.
    pub request_id: Option<String>,
}

/// Events of one memory, oldest first; empty when none is recorded under this agent.
pub fn list(tx: &ReadTx<'_>, agent: &AgentId, memory: &MemoryId, limit: i64) -> Result<Vec<Entry>> {
    const SQL: &str = "SELECT id, event, old_content, new_content, changed_by, actor_type, reason, metadata,
          created_at, session_id, request_id
        FROM memory_history WHERE agent_id = ?1 AND memory_id = ?2 ORDER BY created_at, id LIMIT ?3";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map(params![agent.as_str(), memory.as_str(), limit], |row| {
        let metadata: Option<String> = row.get(7)?;
        Ok(Entry {
            id: row.get(0)?,
            event: row.get(1)?,
            old_content: row.get(2)?,
            new_content: row.get(3)?,
            changed_by: row.get(4)?,
            actor_type: row.get(5)?,
            reason: row.get(6)?,
            metadata: metadata.and_then(|text| serde_json::from_str(&text).ok()),
            created_at: row.get(8)?,
            session_id: row.get(9)?,
            request_id: row.get(10)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The text that the last events of a memory still hold; `None` once it was erased.
pub(crate) fn last_text(tx: &ReadTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<Option<String>> {
    const SQL: &str = "SELECT new_content FROM memory_history
        WHERE agent_id = ?1 AND memory_id = ?2 AND new_content IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT 1";
    let mut statement = tx.prepare(SQL)?;
    Ok(statement.query_row(params![agent.as_str(), memory.as_str()], |row| row.get(0)).optional()?)
}

/// Clears the texts of a memory's events and says how many held one.
pub(crate) fn clear_texts(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<usize> {
    const SQL: &str = "UPDATE memory_history SET old_content = NULL, new_content = NULL
        WHERE agent_id = ?1 AND memory_id = ?2 AND (old_content IS NOT NULL OR new_content IS NOT NULL)";
    tx.execute(SQL, params![agent.as_str(), memory.as_str()])
}

//! What still lacks a vector: the rows of `embedding_work`, kept by triggers on `memories`.
//!
//! A row leaves when its vector is stored or its memory is gone. Nothing scans `memories` for work.

use rusqlite::params;
use signet_model::embed::EmbedFailure;
use signet_model::{AgentId, MemoryId, Timestamp};

use crate::{ReadTx, Result, WriteTx};

/// Which end of the queue is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// What was written last: a person asks for it first.
    Newest,
    /// What waits longest: so that nothing waits for ever.
    Oldest,
}

/// A text that waits for its vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Owner.
    pub agent: AgentId,
    /// The memory.
    pub memory: MemoryId,
    /// Hash of `text`.
    pub content_hash: String,
    /// What is embedded: the stored content.
    pub text: String,
    /// Failures of this text so far.
    pub attempts: u32,
}

const HEADS_NEWEST: &str = "SELECT agent, head FROM
  (SELECT id AS agent, (SELECT max(w.next_attempt_at) FROM embedding_work w
     WHERE w.agent_id = agents.id AND w.state = 'pending' AND w.next_attempt_at <= ?1) AS head FROM agents)
  WHERE head IS NOT NULL ORDER BY head DESC, agent LIMIT ?2";
const HEADS_OLDEST: &str = "SELECT agent, head FROM
  (SELECT id AS agent, (SELECT min(w.next_attempt_at) FROM embedding_work w
     WHERE w.agent_id = agents.id AND w.state = 'pending' AND w.next_attempt_at <= ?1) AS head FROM agents)
  WHERE head IS NOT NULL ORDER BY head, agent LIMIT ?2";
const DUE_NEWEST: &str = "SELECT w.source_id, m.content_hash, m.content, w.attempts FROM embedding_work w
    JOIN memories m ON m.agent_id = w.agent_id AND m.id = w.source_id
  WHERE w.agent_id = ?1 AND w.state = 'pending' AND w.next_attempt_at <= ?2 AND w.source_type = 'memory'
    AND m.is_deleted = 0
  ORDER BY w.next_attempt_at DESC LIMIT ?3";
const DUE_OLDEST: &str = "SELECT w.source_id, m.content_hash, m.content, w.attempts FROM embedding_work w
    JOIN memories m ON m.agent_id = w.agent_id AND m.id = w.source_id
  WHERE w.agent_id = ?1 AND w.state = 'pending' AND w.next_attempt_at <= ?2 AND w.source_type = 'memory'
    AND m.is_deleted = 0
  ORDER BY w.next_attempt_at LIMIT ?3";

/// The next texts to embed, at most `limit`, shared out among the agents that have some: the agent whose
/// head comes first is served first, and none takes the whole batch while another waits.
pub fn due(tx: &ReadTx<'_>, order: Order, now: Timestamp, limit: usize) -> Result<Vec<Due>> {
    let (heads, of_agent) = match order {
        Order::Newest => (HEADS_NEWEST, DUE_NEWEST),
        Order::Oldest => (HEADS_OLDEST, DUE_OLDEST),
    };
    let now = now.to_string();
    let agents = tx
        .prepare(heads)?
        .query_map(params![now, limit as i64], |row| row.get::<_, String>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut batch = Vec::new();
    for (served, agent) in agents.iter().enumerate() {
        let share = (limit - batch.len()).div_ceil(agents.len() - served);
        let mut statement = tx.prepare(of_agent)?;
        let rows = statement.query_map(params![agent, now, share as i64], |row| {
            Ok(Due {
                agent: AgentId::new(agent.as_str()),
                memory: MemoryId::new(row.get::<_, String>(0)?),
                content_hash: row.get(1)?,
                text: row.get(2)?,
                attempts: row.get(3)?,
            })
        })?;
        for row in rows {
            batch.push(row?);
        }
    }
    Ok(batch)
}

const ONE: &str = "SELECT m.content_hash, m.content, w.attempts FROM embedding_work w
    JOIN memories m ON m.agent_id = w.agent_id AND m.id = w.source_id
  WHERE w.agent_id = ?1 AND w.source_type = 'memory' AND w.source_id = ?2 AND w.part = 0 AND w.state = 'pending'
    AND m.is_deleted = 0";

/// The waiting text of one memory; `None` when nothing waits for it.
pub fn find(tx: &ReadTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<Option<Due>> {
    let row = tx.prepare(ONE)?.query_row([agent.as_str(), memory.as_str()], |row| {
        Ok(Due {
            agent: agent.clone(),
            memory: memory.clone(),
            content_hash: row.get(0)?,
            text: row.get(1)?,
            attempts: row.get(2)?,
        })
    });
    Ok(rusqlite::OptionalExtension::optional(row)?)
}

/// A text the provider refused, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Owner.
    pub agent: AgentId,
    /// The memory.
    pub memory: MemoryId,
    /// Class.
    pub class: EmbedFailure,
    /// Sentence.
    pub message: String,
}

/// Waits after the first, second, third and every later failure of a row.
const BACKOFF_MS: [i64; 4] = [60_000, 300_000, 1_800_000, 3_600_000];

/// Failures of a text that is itself at fault before it is set aside: as given, cut to a half, to a quarter.
const TRIES: u32 = 3;

const ATTEMPTS: &str = "SELECT attempts FROM embedding_work
  WHERE agent_id = ?1 AND source_type = 'memory' AND source_id = ?2 AND part = 0 AND state = 'pending'";
const FAIL: &str = "UPDATE embedding_work
  SET attempts = ?3, next_attempt_at = ?4, state = ?5, failure_class = ?6, last_error = ?7
  WHERE agent_id = ?1 AND source_type = 'memory' AND source_id = ?2 AND part = 0";

/// Charges a failure to a row: it waits longer each time, or is set aside (`quarantined`) when its text
/// was refused for the third time. A row that is gone meanwhile is none.
pub fn fail(tx: &WriteTx<'_>, failed: &Failed) -> Result<()> {
    let (agent, memory) = (failed.agent.as_str(), failed.memory.as_str());
    let attempts = tx.prepare(ATTEMPTS)?.query_row([agent, memory], |row| row.get::<_, u32>(0));
    let Some(attempts) = rusqlite::OptionalExtension::optional(attempts)? else { return Ok(()) };
    let attempts = attempts + 1;
    let wait = BACKOFF_MS[(attempts as usize - 1).min(BACKOFF_MS.len() - 1)];
    let state = if failed.class.is_of_the_text() && attempts >= TRIES { "quarantined" } else { "pending" };
    let next = tx.now().plus_millis(wait).to_string();
    let class = failed.class.as_str();
    tx.execute(FAIL, params![agent, memory, attempts, next, state, class, failed.message]).map(drop)
}

const COUNTER: &str = "SELECT COALESCE((SELECT value FROM counters WHERE agent_id = ?1 AND name = ?2), 0)";

/// How many of an agent's live memories have a vector. Read from counters: the cost does not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gaps {
    /// Live memories.
    pub total: u64,
    /// Of them, those that wait for a vector.
    pub pending: u64,
    /// Of them, those whose text the provider refused for good.
    pub quarantined: u64,
}

impl Gaps {
    /// Live memories without a vector.
    pub const fn unembedded(self) -> u64 {
        self.pending + self.quarantined
    }

    /// Share with a vector in tenths of a percent, rounded down: 1000 only without a gap.
    pub const fn coverage_permille(self) -> u64 {
        let Some(share) = (self.total.saturating_sub(self.unembedded()) * 1000).checked_div(self.total)
        else {
            return 1000;
        };
        share
    }
}

/// The gaps of one agent.
pub fn gaps(tx: &ReadTx<'_>, agent: &AgentId) -> Result<Gaps> {
    let read = |name: &str| -> Result<u64> {
        let value: i64 = tx.prepare(COUNTER)?.query_row([agent.as_str(), name], |row| row.get(0))?;
        Ok(u64::try_from(value).unwrap_or(0))
    };
    Ok(Gaps {
        total: read("memories.live")?,
        pending: read("embedding_work.pending")?,
        quarantined: read("embedding_work.quarantined")?,
    })
}

const PENDING: &str = "SELECT EXISTS (SELECT 1 FROM agents JOIN embedding_work w ON w.agent_id = agents.id
  WHERE w.state = 'pending' AND w.next_attempt_at <= ?1 AND NOT (w.agent_id = ?2 AND w.source_id = ?3))";

/// Whether any text but that of `memory` is due.
pub fn others_are_due(tx: &ReadTx<'_>, now: Timestamp, agent: &AgentId, memory: &MemoryId) -> Result<bool> {
    let bound = params![now.to_string(), agent.as_str(), memory.as_str()];
    Ok(tx.prepare(PENDING)?.query_row(bound, |row| row.get(0))?)
}

#[cfg(test)]
mod tests;

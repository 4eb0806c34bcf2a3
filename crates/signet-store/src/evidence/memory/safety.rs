//! The safety row of a memory: what the scan of its text found. It bars prompts, never storage.

use rusqlite::{OptionalExtension, params};
use serde_json::Value;
use signet_model::memory::Text;
use signet_model::memory::outcome::ContentSafety;
use signet_model::safety::POLICY;
use signet_model::{AgentId, MemoryId};

use crate::{ReadTx, Result, WriteTx};

/// Stores the verdict over a memory's present text.
pub(crate) fn put(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId, text: &Text) -> Result<()> {
    const SQL: &str = "INSERT INTO memory_content_safety (agent_id, source_kind, source_id, status,
          context_eligible, has_secret, reasons_json, policy_version, content_hash, scanned_at)
        VALUES (?1, 'memory', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT DO UPDATE SET status = excluded.status, context_eligible = excluded.context_eligible,
          has_secret = excluded.has_secret, reasons_json = excluded.reasons_json,
          policy_version = excluded.policy_version, content_hash = excluded.content_hash,
          scanned_at = excluded.scanned_at";
    let verdict = &text.verdict;
    tx.execute(
        SQL,
        params![
            agent.as_str(),
            memory.as_str(),
            verdict.status.as_str(),
            verdict.context_eligible(),
            verdict.has_secret,
            Value::from(verdict.reasons.clone()).to_string(),
            POLICY,
            text.hash,
            tx.now().to_string()
        ],
    )?;
    Ok(())
}

/// The stored verdict; `None` before the first scan.
pub(super) fn find(tx: &ReadTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<Option<ContentSafety>> {
    const SQL: &str = "SELECT status, context_eligible, reasons_json FROM memory_content_safety
        WHERE agent_id = ?1 AND source_kind = 'memory' AND source_id = ?2";
    let mut statement = tx.prepare(SQL)?;
    let found = statement.query_row(params![agent.as_str(), memory.as_str()], |row| {
        let reasons: String = row.get(2)?;
        Ok(ContentSafety {
            status: row.get(0)?,
            context_eligible: row.get(1)?,
            reasons: serde_json::from_str(&reasons).unwrap_or_default(),
        })
    });
    Ok(found.optional()?)
}

/// Removes the verdict; 1 when there was one.
pub(super) fn drop_row(tx: &WriteTx<'_>, agent: &AgentId, memory: &MemoryId) -> Result<usize> {
    const SQL: &str = "DELETE FROM memory_content_safety
        WHERE agent_id = ?1 AND source_kind = 'memory' AND source_id = ?2";
    tx.execute(SQL, params![agent.as_str(), memory.as_str()])
}

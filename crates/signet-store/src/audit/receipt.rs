//! Receipts of removals: ids, hashes, stores and counts, never a text.

use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;
use signet_model::{Actor, AgentId};

use crate::{ReadTx, Result, StoreError, WriteTx};

/// What kind of removal a receipt is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptMode {
    /// Time to recover was over.
    Retention,
    /// Removed by a person, a cold copy stays.
    Purge,
    /// Removed with every copy.
    Erase,
    /// All rows of an agent.
    Agent,
}

impl ReceiptMode {
    /// The word stored in `purge_receipts.mode`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retention => "retention",
            Self::Purge => "purge",
            Self::Erase => "erase",
            Self::Agent => "agent",
        }
    }
}

/// A stored receipt.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// Id.
    pub id: String,
    /// `retention`, `purge`, `erase`, `agent`.
    pub mode: String,
    /// Who removed.
    pub actor: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: String,
    /// What was removed from where, and what remains.
    pub body: Value,
}

/// Stores a receipt and answers its id.
pub(crate) fn insert(
    tx: &WriteTx<'_>,
    agent: &AgentId,
    actor: &Actor,
    mode: ReceiptMode,
    (reason, body): (&str, &Value),
) -> Result<String> {
    const SQL: &str =
        "INSERT INTO purge_receipts (agent_id, id, mode, actor, reason, created_at, receipt_json)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let id = tx.mint();
    let now = tx.now().to_string();
    tx.execute(SQL, params![agent.as_str(), id, mode.as_str(), actor.name, reason, now, body.to_string()])?;
    Ok(id)
}

/// One receipt; `None` when this agent has none of that id.
pub fn find(tx: &ReadTx<'_>, agent: &AgentId, id: &str) -> Result<Option<Receipt>> {
    const SQL: &str = "SELECT id, mode, actor, reason, created_at, receipt_json FROM purge_receipts
        WHERE agent_id = ?1 AND id = ?2";
    let found = tx.prepare(SQL)?.query_row(params![agent.as_str(), id], columns).optional()?;
    found.map(receipt).transpose()
}

/// Receipts of an agent, newest first.
pub fn list(tx: &ReadTx<'_>, agent: &AgentId, limit: i64) -> Result<Vec<Receipt>> {
    const SQL: &str = "SELECT id, mode, actor, reason, created_at, receipt_json FROM purge_receipts
        WHERE agent_id = ?1 ORDER BY id DESC LIMIT ?2";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map(params![agent.as_str(), limit], columns)?;
    rows.map(|row| receipt(row?)).collect()
}

type Columns = ([String; 5], String);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?], row.get(5)?))
}

fn receipt(([id, mode, actor, reason, created_at], body): Columns) -> Result<Receipt> {
    let body = serde_json::from_str(&body).map_err(|_| StoreError::Corrupt {
        table: "purge_receipts",
        column: "receipt_json",
        row: id.clone(),
    })?;
    Ok(Receipt { id, mode, actor, reason, created_at, body })
}

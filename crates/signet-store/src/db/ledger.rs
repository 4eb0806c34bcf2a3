//! The record of migrations: what is applied, and every attempt with its outcome.

use rusqlite::{Connection, params};
use signet_model::Timestamp;

use crate::Result;
use crate::db::pragma::APPLICATION_ID;

const TABLES: &str = "
-- class: control
CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;
-- class: audit
CREATE TABLE IF NOT EXISTS schema_migrations_audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'failed')),
  error TEXT
) STRICT;";

/// A migration as the file records it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) version: i64,
    pub(crate) name: String,
    pub(crate) checksum: String,
}

/// Makes the two tables and marks the file as ours, in one transaction.
pub(crate) fn create(connection: &Connection) -> Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id={APPLICATION_ID}; COMMIT;"
    ))?;
    Ok(())
}

/// Applied migrations in order.
pub(crate) fn list_applied(connection: &Connection) -> Result<Vec<Entry>> {
    const SQL: &str = "SELECT version, name, checksum FROM schema_migrations ORDER BY version";
    let mut statement = connection.prepare(SQL)?;
    let rows = statement
        .query_map([], |row| Ok(Entry { version: row.get(0)?, name: row.get(1)?, checksum: row.get(2)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Records a migration as applied.
pub(crate) fn insert(connection: &Connection, entry: &Entry, at: Timestamp) -> Result<()> {
    const SQL: &str =
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(SQL, params![entry.version, entry.name, entry.checksum, at.to_string()])?;
    Ok(())
}

/// Records an attempt; `error` = why it failed.
pub(crate) fn insert_audit(
    connection: &Connection,
    entry: &Entry,
    at: Timestamp,
    duration_ms: i64,
    error: Option<&str>,
) -> Result<()> {
    const SQL: &str = "INSERT INTO schema_migrations_audit
        (version, name, checksum, applied_at, duration_ms, outcome, error) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let outcome = if error.is_some() { "failed" } else { "applied" };
    let row = params![entry.version, entry.name, entry.checksum, at.to_string(), duration_ms, outcome, error];
    connection.execute(SQL, row)?;
    Ok(())
}

//! The mark of a clean stop in `daemon_meta`: a file without it is checked at the next start.

use rusqlite::Connection;
use serde_json::json;
use signet_model::Ids;

use crate::control::meta;
use crate::db::damage::Health;
use crate::{ReadTx, Result, WriteTx};

const KEY: &str = "lifecycle";

/// How the store was left by whoever had it open last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastStop {
    /// Closed, or never used.
    Clean,
    /// The process ended without closing it.
    Unclean,
}

/// Notes that the store is in use, and tells how it was left.
pub(crate) fn begin(connection: &Connection, ids: &Ids) -> Result<LastStop> {
    let before = meta::find(&ReadTx::new(connection), KEY)?;
    let running = before.is_some_and(|state| state["state"] == "running");
    note(connection, ids, "running")?;
    Ok(if running { LastStop::Unclean } else { LastStop::Clean })
}

/// Puts the file in order and marks a clean stop; a damaged file gets no mark.
pub(crate) fn end(connection: &Connection, ids: &Ids, health: &Health) -> Result<()> {
    if health.is_damaged() {
        return Ok(());
    }
    optimize(connection)?;
    note(connection, ids, "stopped")?;
    // Answers a row in every journal mode; a reader that is still there makes it do less, not fail.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

/// Lets SQLite look at a sample of each table that has grown, so that it knows which index is the better one.
///
/// The mask asks for all tables and not only for those that this connection has read: most reads happen on
/// others. A sample takes some milliseconds whatever the size of the table.
pub(crate) fn optimize(connection: &Connection) -> Result<()> {
    Ok(connection.execute_batch("PRAGMA optimize=0x10012")?)
}

fn note(connection: &Connection, ids: &Ids, state: &str) -> Result<()> {
    let transaction = connection.unchecked_transaction()?;
    let at = ids.now().to_string();
    meta::set(&WriteTx::new(connection, ids), KEY, &json!({ "state": state, "at": at }))?;
    Ok(transaction.commit()?)
}

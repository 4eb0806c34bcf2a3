//! What the migrations declare, compared with what a file has.

use rusqlite::{Connection, OptionalExtension as _};

use crate::Result;
use crate::db::migrate::Migration;

/// Whether the file has a table of that name.
pub(crate) fn has_table(connection: &Connection, name: &str) -> Result<bool> {
    has(connection, "table", name)
}

/// A table, index, trigger or view that `applied` declare and the file lacks, such as `index ix_memories_hash`.
///
/// The declared set is what the same statements make in an empty database in memory, so that a later
/// migration may drop what an earlier one made.
pub(crate) fn find_missing(connection: &Connection, applied: &[Migration]) -> Result<Option<String>> {
    let declared = Connection::open_in_memory()?;
    for migration in applied {
        declared.execute_batch(migration.sql)?;
    }
    for (kind, name) in list_objects(&declared)? {
        if !has(connection, &kind, &name)? {
            return Ok(Some(format!("{kind} {name}")));
        }
    }
    Ok(None)
}

fn list_objects(connection: &Connection) -> Result<Vec<(String, String)>> {
    const SQL: &str = "SELECT type, name FROM sqlite_schema
        WHERE sql IS NOT NULL ORDER BY type <> 'table', name";
    let mut statement = connection.prepare(SQL)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn has(connection: &Connection, kind: &str, name: &str) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM sqlite_schema WHERE type = ?1 AND name = ?2";
    let found: Option<i64> =
        connection.prepare_cached(SQL)?.query_row([kind, name], |row| row.get(0)).optional()?;
    Ok(found.is_some())
}

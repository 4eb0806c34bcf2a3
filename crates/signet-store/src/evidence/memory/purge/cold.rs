//! Cold copies: purged rows, whole, so that a mistake of retention can be made good.

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value};
use signet_model::{AgentId, AgentScope, MemoryId};

use crate::evidence::memory::admit;
use crate::evidence::memory::row::MemoryRow;
use crate::{ReadTx, Result, WriteTx};

/// Copies a row with all of its columns.
pub(super) fn copy(tx: &WriteTx<'_>, row: &MemoryRow, reason: &str) -> Result<()> {
    const SQL: &str =
        "INSERT INTO memories_cold (agent_id, archive_id, memory_id, content, original_row_json,
          original_created_at, archived_at, archived_reason, content_hash, project)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let whole = all_columns(tx, row)?.to_string();
    let (archive, now) = (tx.mint(), tx.now().to_string());
    tx.execute(
        SQL,
        params![
            row.agent.as_str(),
            archive,
            row.id.as_str(),
            row.content,
            whole,
            row.created_at,
            now,
            reason,
            row.content_hash,
            row.place.project
        ],
    )?;
    Ok(())
}

/// The row as a JSON object by column name, whatever columns there are.
fn all_columns(tx: &WriteTx<'_>, row: &MemoryRow) -> Result<Value> {
    const SQL: &str = "SELECT * FROM memories WHERE agent_id = ?1 AND id = ?2";
    let mut statement = tx.prepare(SQL)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let object = statement.query_row(params![row.agent.as_str(), row.id.as_str()], |row| {
        let mut object = Map::new();
        for (n, name) in names.iter().enumerate() {
            let value = match row.get_ref(n)? {
                ValueRef::Null | ValueRef::Blob(_) => Value::Null,
                ValueRef::Integer(number) => Value::from(number),
                ValueRef::Real(number) => Value::from(number),
                ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
            };
            object.insert(name.clone(), value);
        }
        Ok(object)
    })?;
    Ok(Value::Object(object))
}

/// Content hash of a memory of which only a cold copy is left; 403 outside the credential.
pub(super) fn hash_of(tx: &ReadTx<'_>, scope: &AgentScope, id: &MemoryId) -> Result<Option<String>> {
    const SQL: &str = "SELECT COALESCE(content_hash, ''), project, json_extract(original_row_json, '$.who')
        FROM memories_cold WHERE agent_id = ?1 AND memory_id = ?2 LIMIT 1";
    let found = tx
        .prepare(SQL)?
        .query_row(params![scope.agent().as_str(), id.as_str()], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
        })
        .optional()?;
    let Some((hash, project, who)) = found else { return Ok(None) };
    admit::place(scope, &project, who.as_deref())?;
    Ok(Some(hash))
}

/// Removes the copies of a memory and those of the same text, and says how many there were.
pub(super) fn drop_copies(tx: &WriteTx<'_>, agent: &AgentId, (id, hash): (&MemoryId, &str)) -> Result<usize> {
    const BY_ID: &str = "DELETE FROM memories_cold WHERE agent_id = ?1 AND memory_id = ?2";
    const BY_HASH: &str = "DELETE FROM memories_cold WHERE agent_id = ?1 AND content_hash = ?2";
    Ok(tx.execute(BY_ID, params![agent.as_str(), id.as_str()])?
        + tx.execute(BY_HASH, params![agent.as_str(), hash])?)
}

//! Search forms: what the text index sees of a memory and of its hints, where that is not the text itself.
//!
//! The rule that makes them has a version ([`search::PREPARATION`]), which the store keeps. A store that
//! holds forms of another version is brought up to date once; triggers keep the index in step with each
//! row. The index's own tokenizer is part of the schema, and a migration that changes it remakes the index.

use rusqlite::params;
use serde_json::json;
use signet_model::AgentId;
use signet_model::text::search;

use super::list_agents;
use crate::control::meta;
use crate::{ReadTx, Reader, Result, WriteTx, Writer};

const KEY: &str = "search.preparation";
/// Rows of one portion: small enough that the writer is never held for long.
const PORTION: i64 = 200;

/// Brings the search forms to this build's rule; answers how many changed, and `None` when the store
/// had them already, which costs one read.
///
/// Blocks; it runs in portions on the upkeep lane while the store is in use. When it ends early, because
/// the store was closed or damaged, it starts again at the next call.
pub fn refresh(reader: &Reader, writer: &Writer) -> Result<Option<u64>> {
    let stored = reader.read_blocking(|tx| meta::find(tx, KEY))?;
    if stored == Some(json!(search::PREPARATION)) {
        return Ok(None);
    }
    remake(reader, &writer.upkeep()).map(Some)
}

/// Remakes every search form and notes the version; answers how many were not as they should be.
pub(super) fn remake(reader: &Reader, writer: &Writer) -> Result<u64> {
    let mut changed = 0;
    for agent in list_agents(reader)? {
        let agent = AgentId::new(agent);
        for table in [&MEMORIES, &HINTS] {
            changed += remake_rows(reader, writer, &agent, table)?;
        }
    }
    writer.write_blocking(|tx| meta::set(tx, KEY, &json!(search::PREPARATION)))?;
    Ok(changed)
}

/// A table with texts and their search forms.
struct Table {
    /// Row id, text and form of an agent's rows behind a row id, in order.
    read: &'static str,
    /// Sets the form of a row, if its text is still the one that was read.
    put: fn(&WriteTx<'_>, &AgentId, &Row) -> Result<()>,
}

struct Row {
    rid: i64,
    text: String,
    form: Option<String>,
}

// The plus keeps the index of agents out: the range of row ids is the agent's own, and already in order.
const MEMORIES: Table = Table {
    read: "SELECT m.rid, m.content, m.search_text
        FROM agents a CROSS JOIN memories m ON +m.agent_id = a.id
        WHERE a.id = ?1 AND m.rid > MAX(?2, (a.no << 40) - 1) AND m.rid < (a.no + 1) << 40
        ORDER BY m.rid LIMIT ?3",
    put: put_memory,
};

const HINTS: Table = Table {
    read: "SELECT h.rid, h.hint, h.search_text FROM memory_hints h
        WHERE h.agent_id = ?1 AND h.rid > ?2 ORDER BY h.rid LIMIT ?3",
    put: put_hint,
};

fn remake_rows(reader: &Reader, writer: &Writer, agent: &AgentId, table: &'static Table) -> Result<u64> {
    let (mut changed, mut after) = (0, -1);
    loop {
        let of = agent.clone();
        // Forms are made outside of the write, which everybody waits for.
        let portion = reader.read_blocking(move |tx| read(tx, &of, table, after))?;
        let Some(last) = portion.last() else { return Ok(changed) };
        after = last.rid;
        let stale: Vec<Row> = portion.into_iter().filter_map(renewed).collect();
        if !stale.is_empty() {
            changed += stale.len() as u64;
            let of = agent.clone();
            writer.write_blocking(move |tx| stale.iter().try_for_each(|row| (table.put)(tx, &of, row)))?;
        }
    }
}

fn read(tx: &ReadTx<'_>, agent: &AgentId, table: &Table, after: i64) -> Result<Vec<Row>> {
    let mut statement = tx.prepare(table.read)?;
    let rows = statement.query_map(params![agent.as_str(), after, PORTION], |row| {
        Ok(Row { rid: row.get(0)?, text: row.get(1)?, form: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The row with this build's form; `None` when it has it.
fn renewed(row: Row) -> Option<Row> {
    let form = search::prepare(&row.text);
    (form != row.form).then_some(Row { form, ..row })
}

fn put_memory(tx: &WriteTx<'_>, agent: &AgentId, row: &Row) -> Result<()> {
    const SQL: &str =
        "UPDATE memories SET search_text = ?4 WHERE agent_id = ?1 AND rid = ?2 AND content = ?3";
    tx.execute(SQL, params![agent.as_str(), row.rid, row.text, row.form]).map(drop)
}

/// A hint is replaced, never edited: the same row goes and comes back.
fn put_hint(tx: &WriteTx<'_>, agent: &AgentId, row: &Row) -> Result<()> {
    const TAKE: &str = "DELETE FROM memory_hints WHERE agent_id = ?1 AND rid = ?2 AND hint = ?3
        RETURNING memory_id, origin, created_at";
    const PUT: &str =
        "INSERT INTO memory_hints (rid, agent_id, memory_id, hint, search_text, origin, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let bound = params![agent.as_str(), row.rid, row.text];
    let taken: Vec<(String, String, String)> = tx
        .prepare(TAKE)?
        .query_map(bound, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (memory, origin, created) in taken {
        tx.execute(PUT, params![row.rid, agent.as_str(), memory, row.text, row.form, origin, created])?;
    }
    Ok(())
}

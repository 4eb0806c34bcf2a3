//! Tags and safety verdicts, memory by memory.

use rusqlite::{OptionalExtension as _, params};
use signet_model::memory::Text;
use signet_model::{AgentId, MemoryId};

use super::list_agents;
use crate::evidence::memory::{safety, tags};
use crate::{ReadTx, Reader, Result, WriteTx, Writer};

/// Memories of one portion: small enough that the writer is never held for long.
const PORTION: i64 = 200;

/// A memory as it was read, with what is derived from it.
struct Derived {
    rid: i64,
    id: MemoryId,
    version: i64,
    tags: Vec<String>,
    text: Text,
}

/// Remakes the rows of every memory; returns how many memories there were.
pub(super) fn remake(reader: &Reader, writer: &Writer) -> Result<u64> {
    let mut count = 0;
    for agent in list_agents(reader)? {
        let agent = AgentId::new(agent);
        let of = agent.clone();
        writer.write_blocking(move |tx| drop_orphans(tx, &of))?;
        let mut after = -1;
        loop {
            let of = agent.clone();
            // Texts are scanned outside of the write, which everybody waits for.
            let portion = reader.read_blocking(move |tx| read(tx, &of, after))?;
            let Some(last) = portion.last() else { break };
            (after, count) = (last.rid, count + portion.len() as u64);
            let of = agent.clone();
            writer.write_blocking(move |tx| portion.iter().try_for_each(|derived| put(tx, &of, derived)))?;
        }
    }
    Ok(count)
}

fn read(tx: &ReadTx<'_>, agent: &AgentId, after: i64) -> Result<Vec<Derived>> {
    // The plus keeps the index of agents out: the range of row ids is the agent's own, and already in order.
    const SQL: &str = "SELECT m.rid, m.id, m.version, m.tags, m.content, m.content_hash
        FROM agents a CROSS JOIN memories m ON +m.agent_id = a.id
        WHERE a.id = ?1 AND m.rid > MAX(?2, (a.no << 40) - 1) AND m.rid < (a.no + 1) << 40
        ORDER BY m.rid LIMIT ?3";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map(params![agent.as_str(), after, PORTION], |row| {
        let tags: String = row.get(3)?;
        let mut text = Text::of(row.get(4)?);
        // The stored hash is the row's name for its text, also where it was taken over from elsewhere.
        text.hash = row.get(5)?;
        Ok(Derived {
            rid: row.get(0)?,
            id: MemoryId::new(row.get::<_, String>(1)?),
            version: row.get(2)?,
            tags: tags.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
            text,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Replaces the derived rows of a memory, unless it was changed or purged since it was read: then the
/// change has made them anew.
fn put(tx: &WriteTx<'_>, agent: &AgentId, derived: &Derived) -> Result<()> {
    const VERSION: &str = "SELECT version FROM memories WHERE agent_id = ?1 AND id = ?2";
    let bound = [agent.as_str(), derived.id.as_str()];
    let version: Option<i64> = tx.prepare(VERSION)?.query_row(bound, |row| row.get(0)).optional()?;
    if version == Some(derived.version) {
        tags::drop_all(tx, agent, &derived.id)?;
        tags::add(tx, agent, &derived.id, &derived.tags)?;
        safety::put(tx, agent, &derived.id, &derived.text)?;
    }
    Ok(())
}

/// Removes verdicts whose memory is gone; tags go with their memory by their foreign key.
fn drop_orphans(tx: &WriteTx<'_>, agent: &AgentId) -> Result<()> {
    const SQL: &str = "DELETE FROM memory_content_safety
        WHERE agent_id = ?1 AND source_kind = 'memory'
          AND NOT EXISTS (SELECT 1 FROM memories m
            WHERE m.agent_id = memory_content_safety.agent_id AND m.id = memory_content_safety.source_id)";
    tx.execute(SQL, [agent.as_str()]).map(drop)
}

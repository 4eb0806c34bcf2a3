//! Where else the text of an erased memory still stands. These are other evidence, removed by their
//! own calls; the receipt names them.

use rusqlite::params;
use signet_model::{AgentId, MemoryId};

use crate::audit::history;
use crate::evidence::memory::row;
use crate::{ReadTx, Result};

/// Characters of the text that are searched for.
const NEEDLE: usize = 200;
/// Most places that are named.
const PLACES: usize = 1_000;

/// A place that holds the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remaining {
    /// Table.
    pub store: &'static str,
    /// Id inside it.
    pub reference: String,
    /// Rows of that id that hold it.
    pub count: usize,
}

/// Where a text may stand beside its memory. Copies that the erase itself removes (the memory's own
/// and those of the same hash) are no hits.
const PLACES_SQL: [(&str, &str); 4] = [
    ("memories", "SELECT id, content FROM memories WHERE agent_id = ?1 AND id <> ?2 AND ?3 IS NOT NULL"),
    (
        "memories_cold",
        "SELECT memory_id, content FROM memories_cold WHERE agent_id = ?1 AND memory_id <> ?2
           AND content_hash IS NOT ?3",
    ),
    (
        "memory_history",
        "SELECT memory_id, COALESCE(old_content, '') || char(10) || COALESCE(new_content, '')
           FROM memory_history WHERE agent_id = ?1 AND memory_id <> ?2 AND ?3 IS NOT NULL
            AND (old_content IS NOT NULL OR new_content IS NOT NULL)",
    ),
    (
        "memory_hints",
        "SELECT memory_id, hint FROM memory_hints WHERE agent_id = ?1 AND memory_id <> ?2 AND ?3 IS NOT NULL",
    ),
];

/// Searches the agent's other rows for the memory's text (its first 200 characters, case-folded).
/// Empty for an unknown memory. Reads every row of the agent: run it on a reader, before the erase.
pub fn remaining(tx: &ReadTx<'_>, agent: &AgentId, id: &MemoryId) -> Result<Vec<Remaining>> {
    let (text, hash) = match row::find(tx, agent, id)? {
        Some(row) => (row.content, row.content_hash),
        None => match history::last_text(tx, agent, id)? {
            Some(text) => {
                let hash = signet_model::text::normal::content_hash(&text);
                (text, hash)
            }
            None => return Ok(Vec::new()),
        },
    };
    let needle = text.chars().take(NEEDLE).collect::<String>().to_lowercase();
    let mut found: Vec<Remaining> = Vec::new();
    for (store, sql) in PLACES_SQL {
        let mut statement = tx.prepare(sql)?;
        let mut rows = statement.query(params![agent.as_str(), id.as_str(), hash])?;
        while let Some(row) = rows.next()? {
            let held: String = row.get(1)?;
            if !held.to_lowercase().contains(&needle) {
                continue;
            }
            let reference: String = row.get(0)?;
            let same = |place: &&mut Remaining| place.store == store && place.reference == reference;
            if let Some(place) = found.iter_mut().find(same) {
                place.count += 1;
            } else if found.len() < PLACES {
                found.push(Remaining { store, reference, count: 1 });
            } else {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

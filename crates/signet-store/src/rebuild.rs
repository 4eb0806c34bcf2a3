//! Remakes every derived table from evidence (INV-7). No durable, evidence or control row is dropped.
//!
//! It runs in portions on the upkeep lane while the store is in use, each portion whole by itself, so
//! that it can be stopped at any time and started again. Only the text index is remade in one go.
//! Vectors cost a model: their lack is queued, and the embedding tracker remakes them.

mod counters;
mod forms;
mod memories;
mod vectors;

pub use counters::Drift;
pub use forms::refresh as refresh_search_forms;

use crate::{Reader, Result, WriteTx, Writer};

/// A part of the rebuild, in the order in which the parts build on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Tags and safety verdicts of each memory.
    Memories,
    /// Search forms and the text index.
    Text,
    /// Vectors that are missing or orphaned, and their mirror.
    Vectors,
    /// Counts; last, because the steps before change what is counted.
    Counters,
}

impl Step {
    /// All steps in order.
    pub const ALL: [Self; 4] = [Self::Memories, Self::Text, Self::Vectors, Self::Counters];

    /// The derived tables that the step remakes.
    pub const fn tables(self) -> &'static [&'static str] {
        match self {
            Self::Memories => &["memory_tags", "memory_content_safety"],
            Self::Text => &["memories_fts"],
            Self::Vectors => &["embeddings"],
            Self::Counters => &["counters"],
        }
    }
}

/// What a rebuild did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// Memories whose tags and verdict were made anew.
    pub memories: u64,
    /// Memories that were queued for a vector.
    pub queued: u64,
    /// Vectors without a live memory that were removed.
    pub orphans: u64,
    /// Counts that were wrong.
    pub drift: Vec<Drift>,
}

/// Runs all steps. Blocks until they are done; what is written meanwhile is kept.
pub fn rebuild(reader: &Reader, writer: &Writer) -> Result<Rebuilt> {
    let upkeep = writer.upkeep();
    let mut done = Rebuilt::default();
    for step in Step::ALL {
        match step {
            Step::Memories => done.memories = memories::remake(reader, &upkeep)?,
            Step::Text => {
                forms::remake(reader, &upkeep)?;
                upkeep.write_blocking(remake_text)?;
            }
            Step::Vectors => (done.queued, done.orphans) = vectors::remake(reader, &upkeep)?,
            Step::Counters => done.drift = counters::remake(reader, &upkeep)?,
        }
    }
    Ok(done)
}

fn remake_text(tx: &WriteTx<'_>) -> Result<()> {
    const SQL: &str = "INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')";
    tx.execute(SQL, []).map(drop)
}

/// Ids of all agents, by number.
fn list_agents(reader: &Reader) -> Result<Vec<String>> {
    const SQL: &str = "SELECT id FROM agents ORDER BY no";
    reader.read_blocking(|tx| {
        let mut statement = tx.prepare(SQL)?;
        let agents = statement.query_map([], |row| row.get(0))?;
        Ok(agents.collect::<rusqlite::Result<_>>()?)
    })
}

#[cfg(test)]
mod tests;

//! The on-disk mirror of the active space: the sqlite-vec table `vec_embeddings`: the second best way to search them.
//!
//! Written in the closure that writes `embeddings`, and thrown away and remade from there whenever it
//! is missing or disagrees. Its distances choose candidates; scores always come from `embeddings`.
//! A failure in here costs speed, never a write and never an answer.

use rusqlite::params;

use crate::derived::cosine::QueryVector;
use crate::derived::profile::{self, ActiveProfile};
use crate::derived::window::{Best, Hit};
use crate::{ReadTx, Result, StoreError, WriteTx};

/// Vectors of one partition are stored in chunks of this many rows, and each agent preallocates whole
/// chunks: 64 x 384 x 4 bytes are 98 kB for an agent's first memory.
const CHUNK: usize = 64;

/// Most candidates of one search.
pub(crate) const MOST: usize = 4096;

/// State of the mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mirror {
    /// No table, or one that disagreed: a rebuild starts it again.
    Absent,
    /// Being filled from `embeddings`; the next tier answers meanwhile.
    Building,
    /// Complete.
    Ready,
}

impl Mirror {
    /// The word in `embedding_index_state.mirror`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Building => "building",
            Self::Ready => "ready",
        }
    }

    fn parse(word: &str) -> Self {
        [Self::Building, Self::Ready].into_iter().find(|state| state.as_str() == word).unwrap_or(Self::Absent)
    }
}

const STATE: &str = "SELECT mirror, mirror_cursor FROM embedding_index_state WHERE id = 1";
const SET_STATE: &str =
    "UPDATE embedding_index_state SET mirror = ?1, mirror_cursor = ?2, updated_at = ?3 WHERE id = 1";

/// State of the mirror, as last recorded.
pub fn mirror(tx: &ReadTx<'_>) -> Result<Mirror> {
    Ok(state(tx)?.0)
}

fn state(tx: &ReadTx<'_>) -> Result<(Mirror, i64)> {
    let row = tx.prepare(STATE)?.query_row([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    Ok((Mirror::parse(&row.0), row.1))
}

fn set_state(tx: &WriteTx<'_>, mirror: Mirror, cursor: i64) -> Result<()> {
    tx.execute(SET_STATE, params![mirror.as_str(), cursor, tx.now().to_string()]).map(drop)
}

/// Makes an empty table for the space and marks the mirror complete: only for a store without vectors.
pub(crate) fn create(tx: &WriteTx<'_>, active: &ActiveProfile) -> Result<()> {
    remake_table(tx, active)?;
    set_state(tx, Mirror::Ready, 0)
}

/// Tables that sqlite-vec keeps for the mirror. It refuses to drop the virtual table while one of them is
/// missing, so that missing ones are put back empty before.
const PARTS: [&str; 6] =
    ["info", "chunks", "rowids", "vector_chunks00", "metadatachunks00", "metadatatext00"];

const EXISTS: &str = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'vec_embeddings')";

fn remake_table(tx: &WriteTx<'_>, active: &ActiveProfile) -> Result<()> {
    if tx.prepare(EXISTS)?.query_row([], |row| row.get(0))? {
        tx.unguarded(|| {
            for part in PARTS {
                tx.execute(&format!("CREATE TABLE IF NOT EXISTS vec_embeddings_{part} (key, value)"), [])?;
            }
            tx.execute("DROP TABLE vec_embeddings", [])?;
            for part in PARTS {
                tx.execute(&format!("DROP TABLE IF EXISTS vec_embeddings_{part}"), [])?;
            }
            Ok(())
        })?;
    }
    let columns = format!(
        "rid INTEGER PRIMARY KEY, agent_id TEXT PARTITION KEY, source_type TEXT,
         embedding FLOAT[{}] distance_metric=cosine, chunk_size={CHUNK}",
        active.dimensions
    );
    tx.execute(&format!("CREATE VIRTUAL TABLE vec_embeddings USING vec0({columns})"), []).map(drop)
}

const INSERT: &str =
    "INSERT INTO vec_embeddings (rid, agent_id, source_type, embedding) VALUES (?1, ?2, ?3, ?4)";
const DELETE: &str = "DELETE FROM vec_embeddings WHERE rid = ?1";

/// A row of `embeddings` as the mirror needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MirrorRow<'a> {
    pub(crate) rid: i64,
    pub(crate) agent: &'a str,
    pub(crate) source_type: &'a str,
    pub(crate) vector: &'a [u8],
}

/// Adds a row unless there is no table. A table that refuses the row is marked absent instead.
pub(crate) fn insert(tx: &WriteTx<'_>, row: MirrorRow<'_>) -> Result<()> {
    if mirror(&tx.as_read())? == Mirror::Absent {
        return Ok(());
    }
    or_absent(tx, tx.execute(INSERT, params![row.rid, row.agent, row.source_type, row.vector]).map(drop))
}

/// Removes a row unless there is no table. A table that fails is marked absent, so that the row cannot
/// come back from it.
pub(crate) fn delete(tx: &WriteTx<'_>, rid: i64) -> Result<()> {
    if mirror(&tx.as_read())? == Mirror::Absent {
        return Ok(());
    }
    or_absent(tx, tx.execute(DELETE, [rid]).map(drop))
}

fn or_absent(tx: &WriteTx<'_>, outcome: Result<()>) -> Result<()> {
    match outcome {
        Ok(()) => Ok(()),
        Err(failure) => {
            tracing::warn!(error = %failure, "the vector mirror is damaged and will be rebuilt");
            set_state(tx, Mirror::Absent, 0)
        }
    }
}

// The parts of the table as sqlite-vec 0.1.9 lays them out; the version is pinned.
const CHUNKS: &str = "SELECT c.validity, c.rowids, v.vectors FROM vec_embeddings_chunks c
    JOIN vec_embeddings_vector_chunks00 v ON v._rowid_ = c.chunk_id WHERE c.partition00 = ?1";

/// One candidate of the mirror.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) rid: i64,
    pub(crate) distance: f32,
}

/// The `k` rows of one agent with the least cosine distance, nearest first.
///
/// Walks the chunks of the table itself: the search of `vec0` looks through every chunk once per wanted row,
/// which for a hundred rows costs more than all the distances together. A chunk whose parts do not fit is an
/// error, so that the next tier answers.
pub(crate) fn knn(tx: &ReadTx<'_>, agent: &str, query: &QueryVector, k: usize) -> Result<Vec<Candidate>> {
    let width = 4 * query.dimensions();
    let mut best = Best::new(k.min(MOST));
    let mut statement = tx.prepare(CHUNKS)?;
    let mut chunks = statement.query([agent])?;
    while let Some(chunk) = chunks.next()? {
        let blob = |at| chunk.get_ref(at)?.as_blob().map_err(rusqlite::Error::from);
        let (validity, rids, vectors) = (blob(0)?, blob(1)?, blob(2)?);
        let rids = rids.as_chunks::<8>().0;
        if validity.len() * 8 != rids.len() || vectors.len() != rids.len() * width {
            let row = agent.to_owned();
            return Err(StoreError::Corrupt { table: "vec_embeddings", column: "chunk", row });
        }
        for (at, (rid, vector)) in rids.iter().zip(vectors.chunks_exact(width)).enumerate() {
            let valid = validity[at / 8] >> (at % 8) & 1 == 1;
            if let Some(cosine) = valid.then(|| query.cosine(vector)).flatten() {
                best.push(Hit { rid: i64::from_le_bytes(*rid), cosine });
            }
        }
    }
    let hits = best.into_hits().into_iter();
    Ok(hits.map(|hit| Candidate { rid: hit.rid, distance: 1.0 - hit.cosine }).collect())
}

const COUNT: &str = "SELECT count(*) FROM vec_embeddings_rowids";
const COUNT_CANONICAL: &str =
    "SELECT count(*) FROM agents JOIN embeddings e ON e.agent_id = agents.id AND e.profile_id = ?1";
const NEWEST: &str =
    "SELECT e.agent_id, e.vector FROM embeddings e CROSS JOIN agents ON agents.id = e.agent_id
  WHERE e.profile_id = ?1 ORDER BY e.rid DESC LIMIT 1";

/// Whether a mirror that is recorded as complete really is: equal counts, and the newest vector finds
/// itself. Walks an index of each side; for the background only.
pub fn agrees(tx: &ReadTx<'_>) -> Result<bool> {
    let Some(active) = profile::active(tx)? else { return Ok(true) };
    let count = |sql: &str, bound: &[i64]| -> Result<i64> {
        Ok(tx.prepare(sql)?.query_row(rusqlite::params_from_iter(bound), |row| row.get(0))?)
    };
    if count(COUNT, &[]).ok() != Some(count(COUNT_CANONICAL, &[active.id])?) {
        return Ok(false);
    }
    let mut newest = tx.prepare(NEWEST)?;
    let mut rows = newest.query([active.id])?;
    let Some(row) = rows.next()? else { return Ok(true) };
    let (agent, blob): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
    let values = blob.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let Some(query) = QueryVector::new(values) else { return Ok(true) };
    // Equal texts have equal vectors: what is found at distance zero need not be the row itself.
    let nearest = knn(tx, &agent, &query, 1).unwrap_or_default();
    Ok(nearest.iter().any(|hit| hit.distance.abs() < 1e-3))
}

/// Marks the mirror as to be rebuilt.
pub fn mark_absent(tx: &WriteTx<'_>) -> Result<()> {
    set_state(tx, Mirror::Absent, 0)
}

const NEXT: &str = "SELECT e.rid, e.source_type, e.vector FROM embeddings e
  WHERE e.agent_id = ?1 AND e.profile_id = ?2 AND e.rid > ?3 ORDER BY e.rid LIMIT ?4";
const AGENT_FROM: &str = "SELECT id, no FROM agents WHERE no >= ?1 ORDER BY no LIMIT 1";

/// One step of a rebuild from `embeddings`: at most `limit` rows. Returns whether the mirror is complete
/// now. Starts with an empty table when there is none; goes on where the last step ended.
pub fn rebuild_step(tx: &WriteTx<'_>, limit: usize) -> Result<bool> {
    let read = tx.as_read();
    let Some(active) = profile::active(&read)? else { return Ok(true) };
    let (mirror, mut cursor) = state(&read)?;
    match mirror {
        Mirror::Ready => return Ok(true),
        Mirror::Absent => {
            remake_table(tx, &active)?;
            cursor = 0;
        }
        Mirror::Building => {}
    }
    let mut left = limit;
    while left > 0 {
        let agent = tx
            .prepare(AGENT_FROM)?
            .query_row([cursor >> 40], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
        let Some((agent, no)) = rusqlite::OptionalExtension::optional(agent)? else {
            set_state(tx, Mirror::Ready, 0)?;
            return Ok(true);
        };
        let (copied, last) = copy(tx, &active, (&agent, cursor.max(no << 40)), left)?;
        // An agent with fewer rows than asked for is done: go on with the next one.
        cursor = if copied < left { (no + 1) << 40 } else { last };
        left -= copied;
    }
    set_state(tx, Mirror::Building, cursor)?;
    Ok(false)
}

/// Copies the next rows of one agent after `from.1`; returns how many it saw and the last row id.
fn copy(tx: &WriteTx<'_>, active: &ActiveProfile, from: (&str, i64), limit: usize) -> Result<(usize, i64)> {
    let (agent, cursor) = from;
    let mut statement = tx.prepare(NEXT)?;
    let mut rows = statement.query(params![agent, active.id, cursor, limit as i64])?;
    let (mut seen, mut last) = (0, cursor);
    while let Some(row) = rows.next()? {
        let (rid, source_type, vector): (i64, String, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        (seen, last) = (seen + 1, rid);
        if crate::derived::cosine::is_sound(&vector, active.dimensions) {
            // A vector stored while the rebuild runs is there already.
            tx.execute(DELETE, [rid])?;
            tx.execute(INSERT, params![rid, agent, source_type, vector])?;
        }
    }
    Ok((seen, last))
}

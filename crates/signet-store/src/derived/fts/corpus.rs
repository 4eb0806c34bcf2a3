//! What the lexical value needs to know of an owner's rows: how many, how long, how often a term
//! stands in them. All of it is read in bounded time.

use rusqlite::params;

use super::{Column, Join, expression};
use crate::derived::eligible::Owner;
use crate::{ReadTx, Result};

/// Size of an owner's live rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corpus {
    /// Live rows.
    pub rows: u64,
    /// Terms of an average row's content; 1 when there is none.
    pub mean_length: f64,
}

/// The size of an owner's live rows, from counters.
pub fn corpus(tx: &ReadTx<'_>, owner: &Owner) -> Result<Corpus> {
    const COUNTERS: &str = "SELECT
        COALESCE((SELECT value FROM counters WHERE agent_id = ?1 AND name = 'memories.live'), 0),
        COALESCE((SELECT value FROM counters WHERE agent_id = ?1 AND name = 'memories.terms'), 0)";
    let (rows, terms): (i64, i64) =
        tx.prepare(COUNTERS)?.query_row([owner.agent.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mean_length = if rows > 0 { (terms as f64 / rows as f64).max(1.0) } else { 1.0 };
    Ok(Corpus { rows: u64::try_from(rows).unwrap_or(0), mean_length })
}

/// Rows counted one by one before the rest is estimated.
const EXACT: u64 = 2_000;

impl Corpus {
    /// A term in more rows than this is common: about 5 % of them, and never fewer than 2,000, because
    /// ranking that many costs nothing worth losing a word for.
    pub fn common_above(&self) -> u64 {
        (self.rows / 20).max(EXACT)
    }
}

/// How many of the owner's live rows hold the word in the column.
///
/// Exact up to [`Corpus::common_above`]; beyond, the share of rows that held it so far stands for the rest.
pub fn document_frequency(
    tx: &ReadTx<'_>,
    owner: &Owner,
    corpus: &Corpus,
    column: Column,
    word: &str,
) -> Result<u64> {
    const COUNT: &str = "SELECT count(*), COALESCE(max(rowid), 0) FROM
        (SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?1 AND rowid BETWEEN ?2 AND ?3
          ORDER BY rowid LIMIT ?4)";
    let (first, last) = owner.rid_range();
    let limit = corpus.common_above() + 1;
    let asked = expression(column, &[word], Join::Any);
    let (count, reached): (i64, i64) = tx
        .prepare(COUNT)?
        .query_row(params![asked, first, last, limit as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let count = u64::try_from(count).unwrap_or(0);
    if count < limit {
        return Ok(count);
    }
    let seen = (reached - first).max(1) as f64;
    let estimate = count as f64 * (owner.next_seq as f64 / seen).max(1.0);
    Ok((estimate as u64).clamp(count, corpus.rows.max(count)))
}

/// Whether any of the owner's rows has a hint.
pub fn has_hints(tx: &ReadTx<'_>, owner: &Owner) -> Result<bool> {
    const ANY: &str = "SELECT EXISTS (SELECT 1 FROM memory_hints WHERE agent_id = ?1)";
    Ok(tx.prepare(ANY)?.query_row([owner.agent.as_str()], |row| row.get(0))?)
}

/// Whether the index holds every live row. Compares the index's own count of rows with the counters, so
/// the cost does not grow with the store.
pub fn is_complete(tx: &ReadTx<'_>) -> Result<bool> {
    const AVERAGES: &str = "SELECT block FROM memories_fts_data WHERE id = 1";
    const LIVE: &str = "SELECT COALESCE(sum(value), 0) FROM counters
        WHERE name = 'memories.live' AND agent_id IN (SELECT id FROM agents)";
    let averages: Vec<u8> = tx.prepare(AVERAGES)?.query_row([], |row| row.get(0))?;
    let live: i64 = tx.prepare(LIVE)?.query_row([], |row| row.get(0))?;
    Ok(first_varint(&averages) == live)
}

/// The first of SQLite's varints in a block: seven bits a byte, high bits first. FTS5 keeps the number
/// of its rows there.
fn first_varint(block: &[u8]) -> i64 {
    let mut value = 0_i64;
    for byte in block.iter().take(8) {
        value = (value << 7) | i64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

//! The text index as recall asks it: the lexical and the hint channel are its two columns.
//!
//! Only quoted terms reach the FTS parser, which would read operators; an owner is a range of row ids, since an agent leads the number.

pub mod corpus;
pub mod substring;

use rusqlite::types::Value;
use rusqlite::{params, params_from_iter};

use crate::derived::eligible::{Owner, Predicate};
use crate::{ReadTx, Result};

/// A column of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// What was remembered.
    Content,
    /// Questions it may answer.
    Hints,
}

impl Column {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Hints => "hints",
        }
    }
}

/// How the words of a search stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Every word.
    All,
    /// At least one word.
    Any,
    /// The words side by side in this order.
    Phrase,
}

/// One search in one owner's rows.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// Whose rows.
    pub owner: &'a Owner,
    /// Which of them may come back.
    pub predicate: &'a Predicate,
    /// Where to look.
    pub column: Column,
    /// Folded words.
    pub words: &'a [&'a str],
    /// How they stand to each other.
    pub join: Join,
    /// How many rows.
    pub k: usize,
}

/// A row that the index found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Row id of the memory.
    pub rid: i64,
    /// The index's own rank; smaller is better. It only preselects.
    pub rank: f64,
}

/// The best eligible rows, best first.
///
/// The index ranks its matches first and the eligible ones are kept. Where that leaves fewer than `k` of
/// more, all matches are joined with the predicate, so a filter never hides what exists.
pub fn search(tx: &ReadTx<'_>, search: &Search<'_>) -> Result<Vec<Found>> {
    if search.words.is_empty() || search.k == 0 {
        return Ok(Vec::new());
    }
    let asked = expression(search.column, search.words, search.join);
    let ahead = search.k + search.k / 2;
    let ranked = ranked(tx, search.owner, &asked, ahead)?;
    let mut kept = eligible(tx, &ranked, search.predicate)?;
    if kept.len() < search.k && ranked.len() == ahead {
        return joined(tx, search, &asked);
    }
    kept.truncate(search.k);
    Ok(kept)
}

/// The FTS expression: words are quoted, so that none of them is an operator.
fn expression(column: Column, words: &[&str], join: Join) -> String {
    let quoted = |word: &&str| format!("\"{}\"", word.replace('"', "\"\""));
    let joined = match join {
        Join::All => words.iter().map(quoted).collect::<Vec<_>>().join(" AND "),
        Join::Any => words.iter().map(quoted).collect::<Vec<_>>().join(" OR "),
        Join::Phrase => quoted(&words.join(" ").as_str()),
    };
    format!("{} : ({joined})", column.as_str())
}

/// Best matches of the owner's range, eligible or not.
fn ranked(tx: &ReadTx<'_>, owner: &Owner, asked: &str, limit: usize) -> Result<Vec<Found>> {
    const RANKED: &str = "SELECT rowid, bm25(memories_fts) AS score FROM memories_fts
        WHERE memories_fts MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY score LIMIT ?4";
    let (first, last) = owner.rid_range();
    let mut statement = tx.prepare(RANKED)?;
    let rows = statement.query_map(params![asked, first, last, limit as i64], found)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Looks rows up by their ids: the ids come first, since an index of the agent would walk all its rows.
fn eligible_sql(predicate: &Predicate) -> String {
    format!(
        "SELECT m.rid FROM json_each(?) j CROSS JOIN memories m ON m.rid = j.value WHERE {}",
        predicate.sql
    )
}

/// Those of `ranked` that the predicate lets through, in the same order.
fn eligible(tx: &ReadTx<'_>, ranked: &[Found], predicate: &Predicate) -> Result<Vec<Found>> {
    let sql = eligible_sql(predicate);
    let rids: Vec<i64> = ranked.iter().map(|found| found.rid).collect();
    let params = std::iter::once(Value::Text(json(&rids))).chain(predicate.params.iter().cloned());
    let mut statement = tx.prepare(&sql)?;
    let rows = statement.query_map(params_from_iter(params), |row| row.get::<_, i64>(0))?;
    let passed = rows.collect::<rusqlite::Result<std::collections::HashSet<_>>>()?;
    Ok(ranked.iter().copied().filter(|found| passed.contains(&found.rid)).collect())
}

/// Best eligible matches, every match joined with the predicate.
fn joined(tx: &ReadTx<'_>, search: &Search<'_>, asked: &str) -> Result<Vec<Found>> {
    let sql = format!(
        "SELECT m.rid, bm25(memories_fts) AS score FROM memories_fts f CROSS JOIN memories m ON m.rid = f.rowid
          WHERE memories_fts MATCH ? AND f.rowid BETWEEN ? AND ? AND {} ORDER BY score LIMIT ?",
        search.predicate.sql
    );
    let (first, last) = search.owner.rid_range();
    let mut params = vec![Value::Text(asked.to_owned()), Value::Integer(first), Value::Integer(last)];
    params.extend(search.predicate.params.iter().cloned());
    params.push(Value::Integer(search.k as i64));
    let mut statement = tx.prepare(&sql)?;
    let rows = statement.query_map(params_from_iter(params), found)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn found(row: &rusqlite::Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found { rid: row.get(0)?, rank: row.get(1)? })
}

/// Row ids as a JSON array, for `json_each`.
pub(crate) fn json(rids: &[i64]) -> String {
    let mut text = String::with_capacity(2 + rids.len() * 14);
    text.push('[');
    for (i, rid) in rids.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        text.push_str(&rid.to_string());
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests;

//! Search without the index: the newest rows are read and compared, while the index cannot be trusted.

use rusqlite::params_from_iter;
use rusqlite::types::Value;
use signet_model::text::search;

use super::{Found, Search};
use crate::{ReadTx, Result};

/// Eligible rows among the owner's newest `window` that hold at least one of the words, those with more
/// of them first, then the newer.
pub fn scan(tx: &ReadTx<'_>, search: &Search<'_>, window: usize) -> Result<Vec<Found>> {
    let sql = format!(
        "SELECT m.rid, COALESCE(m.search_text, m.content) FROM memories m
          WHERE {} ORDER BY m.rid DESC LIMIT ?",
        search.predicate.sql
    );
    let params = search.predicate.params.iter().cloned().chain([Value::Integer(window as i64)]);
    let mut statement = tx.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(params))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let held = words_held(row.get_ref(1)?.as_str().unwrap_or_default(), search.words);
        if held > 0 {
            found.push(Found { rid: row.get(0)?, rank: -(held as f64) });
        }
    }
    found.sort_by(|a, b| a.rank.total_cmp(&b.rank).then(b.rid.cmp(&a.rid)));
    found.truncate(search.k);
    Ok(found)
}

/// How many of the words stand in the text, inside longer words too.
fn words_held(text: &str, words: &[&str]) -> usize {
    let mut folded = String::with_capacity(text.len());
    search::each_word(text, |word| {
        folded.push(' ');
        folded.push_str(word);
    });
    words.iter().filter(|word| folded.contains(**word)).count()
}

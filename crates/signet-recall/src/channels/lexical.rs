//! Text: which rows hold the query's words, and how much of the query they hold.

use signet_model::text::search::{Query, Token};
use signet_store::derived::eligible::{Owner, Predicate};
use signet_store::derived::fts::corpus::{self, Corpus};
use signet_store::derived::fts::{self, Column, Found, Join, Search, substring};
use signet_store::{ReadTx, Result};

use crate::plan::MOST_TERMS;

/// Saturation of repeated terms.
const K1: f64 = 1.2;
/// Influence of the length.
const B: f64 = 0.75;
/// Few enough terms to ask for all of them first.
const FEW: usize = 3;

/// The query's terms with their weight in one owner's rows.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    /// The terms, in the query's order.
    pub(crate) tokens: Vec<Token>,
    /// Rows that hold each.
    pub(crate) frequency: Vec<u64>,
    /// Inverse document frequency of each.
    pub(crate) idf: Vec<f64>,
    /// Size of the owner's rows.
    pub(crate) corpus: Corpus,
}

/// Weighs the terms in an owner's column; of too many, the rarest are kept.
pub(crate) fn weigh(
    tx: &ReadTx<'_>,
    owner: &Owner,
    corpus: Corpus,
    column: Column,
    query: &Query,
) -> Result<Terms> {
    let mut counted = Vec::with_capacity(query.terms.len());
    for (at, token) in query.terms.iter().enumerate() {
        counted.push((corpus::document_frequency(tx, owner, &corpus, column, &token.word)?, at, token));
    }
    if !query.phrase {
        counted.sort_by_key(|(frequency, at, _)| (*frequency, *at));
        counted.truncate(MOST_TERMS);
        counted.sort_by_key(|(_, at, _)| *at);
    }
    let frequency: Vec<u64> = counted.iter().map(|(frequency, ..)| *frequency).collect();
    Ok(Terms {
        tokens: counted.into_iter().map(|(.., token)| token.clone()).collect(),
        idf: frequency.iter().map(|df| idf(corpus.rows, *df)).collect(),
        frequency,
        corpus,
    })
}

/// The terms without the index: each counts alike, as if it stood nowhere.
pub(crate) fn unweighed(corpus: Corpus, query: &Query) -> Terms {
    let tokens: Vec<Token> = query.terms.iter().take(MOST_TERMS).cloned().collect();
    Terms { frequency: vec![0; tokens.len()], idf: vec![idf(corpus.rows, 0); tokens.len()], tokens, corpus }
}

/// Where and how a search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Whose rows.
    pub(crate) owner: &'a Owner,
    /// Which of them.
    pub(crate) predicate: &'a Predicate,
    /// In which column.
    pub(crate) column: Column,
    /// How many rows.
    pub(crate) k: usize,
    /// How many results are wanted: fewer rows with all words are filled up.
    pub(crate) limit: usize,
}

/// Rows that hold the terms, best first by the index's own rank.
pub(crate) fn find(tx: &ReadTx<'_>, place: Place<'_>, query: &Query, terms: &Terms) -> Result<Vec<Found>> {
    let words = if query.phrase { terms.words() } else { terms.telling() };
    let search = |join| Search {
        owner: place.owner,
        predicate: place.predicate,
        column: place.column,
        words: &words,
        join,
        k: place.k,
    };
    if query.phrase {
        return fts::search(tx, &search(Join::Phrase));
    }
    if words.len() > FEW || words.len() < 2 {
        return fts::search(tx, &search(Join::Any));
    }
    let all = fts::search(tx, &search(Join::All))?;
    if all.len() >= place.limit {
        return Ok(all);
    }
    fts::search(tx, &search(Join::Any))
}

/// The same without the index: the newest rows are compared by substring.
pub(crate) fn find_without_index(
    tx: &ReadTx<'_>,
    place: Place<'_>,
    terms: &Terms,
    window: usize,
) -> Result<Vec<Found>> {
    let words = terms.words();
    let search = Search {
        owner: place.owner,
        predicate: place.predicate,
        column: place.column,
        words: &words,
        join: Join::Any,
        k: place.k,
    };
    substring::scan(tx, &search, window)
}

impl Terms {
    fn words(&self) -> Vec<&str> {
        self.tokens.iter().map(|token| token.word.as_str()).collect()
    }

    /// Terms that stand somewhere and are not common; all that stand somewhere when none is left.
    fn telling(&self) -> Vec<&str> {
        let limit = self.corpus.common_above();
        let pick = |most: u64| -> Vec<&str> {
            let pairs = self.tokens.iter().zip(&self.frequency);
            pairs.filter(|(_, df)| (1..=most).contains(*df)).map(|(token, _)| token.word.as_str()).collect()
        };
        let telling = pick(limit);
        if telling.is_empty() { pick(u64::MAX) } else { telling }
    }

    /// The lexical value of a text with these term counts and this many words.
    pub(crate) fn value(&self, counts: &[u32], length: usize) -> f64 {
        let whole: f64 = self.idf.iter().sum();
        if whole <= 0.0 {
            return 0.0;
        }
        let held: f64 = self
            .idf
            .iter()
            .zip(counts)
            .map(|(idf, tf)| idf * saturation(f64::from(*tf), length as f64, self.corpus.mean_length))
            .sum();
        held / whole
    }
}

/// ln(1 + (N - df + 0.5) / (df + 0.5)), never below 0.
pub(crate) fn idf(rows: u64, frequency: u64) -> f64 {
    let (n, df) = (rows.max(frequency) as f64, frequency as f64);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

/// How much of a term's weight a text of this length earns with `tf` of it: 0 to 1.
fn saturation(tf: f64, length: f64, mean: f64) -> f64 {
    if tf <= 0.0 {
        return 0.0;
    }
    (tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length / mean))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) {
        assert!((left - right).abs() < 0.0001, "{left} is not {right}");
    }

    fn terms(rows: u64, frequency: &[u64]) -> Terms {
        Terms {
            tokens: Vec::new(),
            frequency: frequency.to_vec(),
            idf: frequency.iter().map(|df| idf(rows, *df)).collect(),
            corpus: Corpus { rows, mean_length: 10.0 },
        }
    }

    #[test]
    fn rare_terms_weigh_more() {
        for (rows, df, expected) in [
            (1000, 10, 4.5574),
            (1000, 500, std::f64::consts::LN_2),
            (1000, 0, 7.6019),
            (1, 1, 0.2877),
            (4, 3, 0.3567),
            (4, 1, 1.2040),
        ] {
            close(idf(rows, df), expected);
        }
    }

    #[test]
    fn repeats_saturate_and_length_dilutes() {
        for (tf, length, expected) in
            [(1.0, 10.0, 1.0), (1.0, 20.0, 0.7097), (1.0, 40.0, 0.4490), (2.0, 20.0, 1.0), (1.0, 5.0, 1.0)]
        {
            close(saturation(tf, length, 10.0), expected);
        }
    }

    #[test]
    fn the_value_is_the_share_of_the_query_that_a_text_holds() {
        let both = terms(1000, &[10, 500]);
        close(both.value(&[1, 1], 10), 1.0);
        close(both.value(&[1, 0], 10), 0.8680);
        close(both.value(&[0, 1], 10), 0.1320);
        close(both.value(&[1, 1], 20), 0.7097);
        close(terms(1000, &[10, 0]).value(&[1, 0], 10), 0.3748);
        close(terms(4, &[3, 1]).value(&[1, 0], 10), 0.2285);
        close(terms(1, &[1]).value(&[1], 10), 1.0);
        close(terms(1000, &[50, 40, 10]).value(&[0, 1, 0], 10), 0.2983);
        close(terms(1000, &[]).value(&[], 10), 0.0);
    }
}

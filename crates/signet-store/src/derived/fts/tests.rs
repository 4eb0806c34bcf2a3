//! The index against the tokenizer in Rust, and searches over real rows.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rusqlite::{Connection, params};
use signet_model::recall::Filters;
use signet_model::text::search::{self as form, tokens};
use signet_model::{AgentId, AgentScope};

use super::corpus::{Corpus, corpus, document_frequency, is_complete};
use super::{Column, Join, Search, search, substring};
use crate::derived::eligible::{Owner, owners, predicate};
use crate::testing::TestStore;

/// Terms and their counts as a real index has them.
fn indexed(text: &str) -> BTreeMap<Vec<u8>, i64> {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter unicode61 remove_diacritics 2');
             CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row');",
        )
        .unwrap();
    connection.execute("INSERT INTO t VALUES (?1)", [text]).unwrap();
    let mut statement = connection.prepare("SELECT CAST(term AS BLOB), cnt FROM v").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<rusqlite::Result<_>>().unwrap()
}

fn counted(text: &str) -> BTreeMap<Vec<u8>, i64> {
    let mut counts = BTreeMap::new();
    for token in tokens(text) {
        *counts.entry(token.stem).or_insert(0) += 1;
    }
    counts
}

#[test]
fn every_character_is_cut_and_folded_as_the_index_does() {
    // One word a character, with a letter before and after, so that folding and parting both show.
    for block in (0x80..0x11_0000_u32).collect::<Vec<_>>().chunks(20_000) {
        let text: String =
            block.iter().filter_map(|code| char::from_u32(*code)).flat_map(|c| ['q', c, 'x', ' ']).collect();
        assert_eq!(counted(&text), indexed(&text), "from {:#x}", block[0]);
    }
}

#[test]
fn english_words_get_the_stem_of_the_index() {
    let endings = [
        "", "s", "es", "ed", "eed", "ing", "y", "ational", "tional", "enci", "anci", "izer", "logi", "bli",
        "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness",
        "ousness", "aliti", "iviti", "biliti", "icate", "ative", "alize", "iciti", "ical", "ful", "ness",
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion",
        "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ll", "le", "sses", "ies", "atted", "izing", "bling",
    ];
    let stems =
        ["", "b", "tr", "at", "hop", "fil", "relat", "condit", "yo", "sky", "controll", "é", "日本", "conn"];
    let text: Vec<String> =
        stems.iter().flat_map(|stem| endings.iter().map(move |end| format!("{stem}{end}"))).collect();
    let text = text.join(" ");
    assert_eq!(counted(&text), indexed(&text));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_texts_are_cut_as_the_index_does(text in "\\PC{0,80}|[a-z ]{0,80}|[\\x00-\\x{2ff}]{0,60}") {
        prop_assert_eq!(counted(&text), indexed(&text));
        if let Some(prepared) = form::prepare(&text) {
            prop_assert_eq!(counted(&prepared), indexed(&prepared));
        }
    }
}

/// A store of the default agent with these texts, row ids 1.. of its range.
fn store(texts: &[&str]) -> TestStore {
    let store = TestStore::new();
    let raw = store.raw();
    for (i, text) in texts.iter().enumerate() {
        insert(&raw, "default", (1 << 40) + i as i64 + 1, text);
    }
    raw.execute("UPDATE agents SET next_seq = ?1 WHERE id = 'default'", [texts.len() as i64 + 1]).unwrap();
    store
}

fn insert(raw: &Connection, agent: &str, rid: i64, text: &str) {
    raw.execute(
        "INSERT INTO memories (rid, agent_id, id, content, search_text, content_hash, normalized_content,
           created_at, updated_at, updated_by)
         VALUES (?1, ?2, 'm' || ?1, ?3, ?4, 'h' || ?1, ?3, '2026-03-04T14:25:00.000Z', '2026-03-04T14:25:00.000Z', 't')",
        params![rid, agent, text, form::prepare(text)],
    )
    .unwrap();
}

fn own(store: &TestStore) -> Owner {
    let scope = AgentScope::granted(AgentId::default_agent(), None, None);
    store.reader().read_blocking(move |tx| owners(tx, &scope)).unwrap().remove(0)
}

/// Sequence numbers of the rows that a search finds.
fn found(store: &TestStore, words: &[&str], join: Join) -> Vec<i64> {
    let owner = own(store);
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let rows = store.reader().read_blocking(move |tx| {
        let scope = AgentScope::granted(AgentId::default_agent(), None, None);
        let predicate = predicate(&owner, &scope, &Filters::default());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let asked = Search {
            owner: &owner,
            predicate: &predicate,
            column: Column::Content,
            words: &words,
            join,
            k: 10,
        };
        search(tx, &asked)
    });
    rows.unwrap().iter().map(|row| row.rid - (1 << 40)).collect()
}

#[test]
fn words_are_joined_as_asked_and_never_read_as_operators() {
    let store = store(&["the river is not near", "near the monday river", "nothing here"]);
    assert_eq!(found(&store, &["river", "monday"], Join::All), [2]);
    assert_eq!(found(&store, &["river", "monday"], Join::Any), [2, 1]);
    assert_eq!(found(&store, &["not", "near"], Join::Phrase), [1]);
    assert_eq!(found(&store, &["near"], Join::Any).len(), 2);
    assert_eq!(found(&store, &["NEAR("], Join::Any).len(), 2, "a plain word");
    for hostile in ["\"", "a\" OR \"b", "*", "content:", "-", "^"] {
        assert_eq!(found(&store, &[hostile], Join::Any).len(), 0, "{hostile}");
    }
}

#[test]
fn a_filter_hides_no_row_behind_ten_thousand_others() {
    let store = store(&[]);
    let raw = store.raw();
    raw.execute_batch("BEGIN").unwrap();
    for i in 0..10_000 {
        insert(&raw, "default", (1 << 40) + i + 2, "the port of the build server");
    }
    insert(
        &raw,
        "default",
        (1 << 40) + 1,
        "the port of the build server and some more words than the others have",
    );
    raw.execute_batch("UPDATE memories SET project = 'wanted' WHERE rid = (1 << 40) + 1; COMMIT").unwrap();
    let owner = own(&store);
    for column in [Column::Content, Column::Hints] {
        if column == Column::Hints {
            raw.execute_batch(
                "INSERT INTO memory_hints (agent_id, memory_id, hint, origin, created_at)
                   SELECT agent_id, id, 'which port', 'supplied', created_at FROM memories",
            )
            .unwrap();
        }
        let owner = owner.clone();
        let rows = store.reader().read_blocking(move |tx| {
            let scope = AgentScope::granted(AgentId::default_agent(), None, None);
            let filters = Filters { project: Some("wanted".to_owned()), ..Filters::default() };
            let predicate = predicate(&owner, &scope, &filters);
            let asked = Search {
                owner: &owner,
                predicate: &predicate,
                column,
                words: &["port"],
                join: Join::Any,
                k: 5,
            };
            search(tx, &asked)
        });
        let rids: Vec<i64> = rows.unwrap().iter().map(|row| row.rid).collect();
        assert_eq!(rids, [(1 << 40) + 1], "{column:?}");
    }
}

#[test]
fn the_corpus_follows_insert_edit_forget_and_recover() {
    let store = store(&["one two three", "four five"]);
    let read = |store: &TestStore| {
        let owner = own(store);
        store.reader().read_blocking(move |tx| Ok((corpus(tx, &owner)?, is_complete(tx)?))).unwrap()
    };
    assert_eq!(read(&store), (Corpus { rows: 2, mean_length: 2.5 }, true));
    let raw = store.raw();
    let long = "word ".repeat(20_000);
    raw.execute("UPDATE memories SET content = ?1, version = 2 WHERE rid = (1 << 40) + 1", [&long]).unwrap();
    assert_eq!(read(&store), (Corpus { rows: 2, mean_length: 10_001.0 }, true));
    raw.execute_batch("UPDATE memories SET is_deleted = 1, deleted_at = 'x' WHERE rid = (1 << 40) + 1")
        .unwrap();
    assert_eq!(read(&store), (Corpus { rows: 1, mean_length: 2.0 }, true));
    raw.execute_batch("UPDATE memories SET is_deleted = 0, deleted_at = NULL WHERE rid = (1 << 40) + 1")
        .unwrap();
    assert_eq!(read(&store), (Corpus { rows: 2, mean_length: 10_001.0 }, true));
    raw.execute(
        "INSERT INTO memories_fts (memories_fts, rowid, content, hints) VALUES ('delete', (1 << 40) + 1, ?1, NULL)",
        [&long],
    )
    .unwrap();
    assert!(!read(&store).1, "a row behind the triggers' back is noticed");
}

#[test]
fn frequencies_are_exact_while_a_term_is_rare_and_close_beyond() {
    let store = store(&["alpha beta", "alpha", "gamma"]);
    let owner = own(&store);
    let count = |store: &TestStore, owner: &Owner, word: &'static str| {
        let owner = owner.clone();
        let read = move |tx: &crate::ReadTx<'_>| {
            let size = corpus(tx, &owner)?;
            document_frequency(tx, &owner, &size, Column::Content, word)
        };
        store.reader().read_blocking(read).unwrap()
    };
    assert_eq!(["alpha", "beta", "delta"].map(|word| count(&store, &owner, word)), [2, 1, 0]);
    let raw = store.raw();
    raw.execute_batch("BEGIN").unwrap();
    for i in 0..6_000 {
        insert(&raw, "default", (1 << 40) + i + 10, if i % 2 == 0 { "alpha" } else { "beta gamma" });
    }
    raw.execute_batch("UPDATE agents SET next_seq = 6011 WHERE id = 'default'; COMMIT").unwrap();
    let estimate = count(&store, &own(&store), "alpha");
    assert!((2_900..=3_100).contains(&estimate), "{estimate}");
}

#[test]
fn without_the_index_the_newest_rows_are_searched_by_part() {
    let store = store(&["the river bank", "riverside", "monday by the river bank", "nothing"]);
    let owner = own(&store);
    let rows = store.reader().read_blocking(move |tx| {
        let scope = AgentScope::granted(AgentId::default_agent(), None, None);
        let predicate = predicate(&owner, &scope, &Filters::default());
        let asked = Search {
            owner: &owner,
            predicate: &predicate,
            column: Column::Content,
            words: &["river", "bank"],
            join: Join::Any,
            k: 10,
        };
        Ok((substring::scan(tx, &asked, 100)?, substring::scan(tx, &asked, 2)?))
    });
    let (all, newest) = rows.unwrap();
    let seqs = |rows: &[super::Found]| rows.iter().map(|row| row.rid - (1 << 40)).collect::<Vec<_>>();
    assert_eq!(seqs(&all), [3, 1, 2]);
    assert_eq!(seqs(&newest), [3]);
}

#[test]
fn rows_of_known_ids_are_looked_up_by_them() {
    let store = store(&["alpha"]);
    let scope = AgentScope::granted(AgentId::default_agent(), None, None);
    let predicate =
        predicate(&own(&store), &scope, &Filters { scope: Some(String::new()), ..Filters::default() });
    for sql in [super::eligible_sql(&predicate), crate::derived::candidates::ROWS.to_owned()] {
        let steps = store.plan(&sql);
        let by_rid = steps.iter().any(|step| step.starts_with("SEARCH m USING INTEGER PRIMARY KEY"));
        assert!(by_rid, "{steps:#?}");
    }
}

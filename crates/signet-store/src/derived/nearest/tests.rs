//! Tiers agree, filters do not shrink, completeness is honest, damage only costs speed.

use signet_model::MemoryId;
use signet_model::recall::Filters;

use super::*;
use crate::derived::embedding::Stored;
use crate::derived::space::Spaced;
use crate::derived::vec;
use crate::testing::plant;

#[test]
fn every_tier_gives_the_same_rows_and_scores_in_any_dimension() {
    for dimensions in [3, 384, 768, 3072] {
        let mut spaced = Spaced::new(dimensions);
        spaced.fill(300);
        let by_mirror = spaced.ask(Tier::SqliteVec, 10);
        let by_window = spaced.ask(Tier::Window, 10);
        assert_eq!((by_mirror.tier, by_window.tier), (Tier::SqliteVec, Tier::Window));
        assert_eq!(by_mirror.hits, by_window.hits, "{dimensions}");
        assert_eq!(by_mirror.hits.len(), 10);
        assert!((by_mirror.hits[0].cosine - 1.0).abs() < 1e-5);
        assert!(by_mirror.hits.windows(2).all(|pair| pair[0].cosine >= pair[1].cosine));
        assert_eq!(by_mirror.completeness, Completeness::Complete);
        assert_eq!(spaced.ask(Tier::Auto, 10), by_mirror);
    }
}

#[test]
fn the_window_says_when_an_older_row_was_left_out() {
    let mut spaced = Spaced::new(8);
    let ids = spaced.fill(20);
    let check = |spaced: &Spaced, window, expect| {
        let found = spaced.ask_with(Tier::Window, 5, window, &Filters::default());
        assert_eq!(found.completeness, expect, "window of {window}");
    };
    check(&spaced, 20, Completeness::Complete);
    check(&spaced, 19, Completeness::RecentWindow);
    plant::forget(&spaced.store, &spaced.agent, &ids[0]);
    check(&spaced, 19, Completeness::Complete);
    // Number 3 is the nearest and too old for a window of the newest ten.
    let found = spaced.ask_with(Tier::Window, 5, 10, &Filters::default());
    assert!(found.hits[0].cosine < 0.999_9);
}

#[test]
fn a_filter_never_shrinks_the_answer() {
    let mut spaced = Spaced::new(8);
    spaced.fill(3_000);
    let mark = |sql: &str| spaced.store.raw().execute_batch(sql).unwrap();
    mark("UPDATE memories SET type = 'rare' WHERE CAST(substr(content, 6) AS INTEGER) % 150 = 7");
    mark("UPDATE memories SET who = 'most' WHERE CAST(substr(content, 6) AS INTEGER) % 10 <> 3");
    for filters in [
        Filters { kind: Some("rare".to_owned()), ..Filters::default() },
        Filters { who: Some("most".to_owned()), ..Filters::default() },
    ] {
        let by_mirror = spaced.ask_with(Tier::SqliteVec, 15, 10_000, &filters);
        let by_window = spaced.ask_with(Tier::Window, 15, 10_000, &filters);
        assert_eq!(by_mirror.hits, by_window.hits, "{filters:?}");
        assert_eq!(by_mirror.hits.len(), 15);
    }
    let none = Filters { kind: Some("unheard".to_owned()), ..Filters::default() };
    assert_eq!(spaced.ask_with(Tier::Auto, 15, 10_000, &none).hits, []);
}

#[test]
fn rows_that_may_not_come_back_do_not_take_the_place_of_others() {
    let mut spaced = Spaced::new(8);
    spaced.fill(2_500);
    // All but the 20 newest are superseded: far more than are asked for at first.
    let sql = "UPDATE memories SET superseded_by = 'x' WHERE CAST(substr(content, 6) AS INTEGER) < 2480";
    spaced.store.raw().execute_batch(sql).unwrap();
    let found = spaced.ask(Tier::SqliteVec, 15);
    assert_eq!(found.hits.len(), 15);
    assert_eq!(found.hits, spaced.ask(Tier::Window, 15).hits);
}

#[test]
fn agents_with_equal_texts_have_their_own_vectors() {
    let mut spaced = Spaced::new(8);
    let mine = spaced.fill(5);
    let other = plant::agent(&spaced.store, "other");
    let theirs = plant::memory(&spaced.store, &other, "text 3");
    let mut made = spaced.made(&theirs, "text 3", spaced.vector(3));
    made.agent = other.clone();
    assert_eq!(spaced.put(made), Stored::Stored);
    let before = spaced.ask(Tier::Auto, 10);
    assert_eq!(before.hits.len(), 5, "the other agent's row is not mine");
    let (agent, id) = (other.clone(), theirs);
    let drop = move |tx: &crate::WriteTx<'_>| {
        crate::derived::embedding::drop_vectors(
            tx,
            &agent,
            crate::derived::embedding::SourceType::Memory,
            id.as_str(),
        )
    };
    assert_eq!(spaced.store.writer().write_blocking(drop).unwrap(), 1);
    assert_eq!(spaced.ask(Tier::Auto, 10), before);
    assert_eq!(mine.len(), 5);
}

#[test]
fn vectors_that_cannot_be_scored_are_passed_over_in_every_tier() {
    let mut spaced = Spaced::new(4);
    let ids = spaced.fill(6);
    let break_row = |id: &MemoryId, dimensions: i64, blob: Vec<u8>| {
        let sql = "UPDATE embeddings SET dimensions = ?2, vector = ?3 WHERE source_id = ?1";
        spaced.store.raw().execute(sql, rusqlite::params![id.as_str(), dimensions, blob]).unwrap();
    };
    let nan: Vec<u8> = [1.0, f32::NAN, 0.0, 0.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    break_row(&ids[3], 4, nan);
    break_row(&ids[2], 2, vec![0; 8]);
    break_row(&ids[1], 0, Vec::new());
    for tier in [Tier::SqliteVec, Tier::Window] {
        let found = spaced.ask(tier, 10);
        assert_eq!((found.hits.len(), found.unsound), (3, 3), "{tier:?}");
        assert_eq!(found.completeness, Completeness::Complete);
    }
}

/// Each way the mirror can be damaged.
const DAMAGE: [&str; 7] = [
    "DROP TABLE vec_embeddings_rowids",
    "DROP TABLE vec_embeddings_vector_chunks00",
    "DROP TABLE vec_embeddings_chunks",
    "UPDATE vec_embeddings_vector_chunks00 SET vectors = zeroblob(8)",
    "UPDATE vec_embeddings_vector_chunks00 SET vectors = randomblob(length(vectors))",
    "DELETE FROM vec_embeddings_rowids",
    "DELETE FROM vec_embeddings_chunks",
];

#[test]
fn a_damaged_mirror_costs_neither_answers_nor_writes_and_is_rebuilt() {
    for damage in DAMAGE {
        let mut spaced = Spaced::new(8);
        spaced.fill(40);
        let whole = spaced.ask(Tier::Auto, 10);
        assert_eq!(whole.tier, Tier::SqliteVec);
        spaced.store.raw().execute_batch(damage).unwrap();
        let agrees = spaced.store.reader().read_blocking(vec::agrees).unwrap();
        assert!(!agrees, "{damage}");
        let more = plant::memory(&spaced.store, &spaced.agent, "later");
        let made = spaced.made(&more, "later", spaced.vector(77));
        assert_eq!(spaced.put(made), Stored::Stored, "{damage}");
        spaced.store.writer().write_blocking(vec::mark_absent).unwrap();
        let meanwhile = spaced.ask(Tier::Auto, 10);
        assert_eq!(meanwhile.tier, Tier::Window, "{damage}");
        assert_eq!(meanwhile.hits, spaced.ask(Tier::Window, 10).hits, "{damage}");
        while !spaced.store.writer().write_blocking(|tx| vec::rebuild_step(tx, 7)).unwrap() {}
        assert!(spaced.store.reader().read_blocking(vec::agrees).unwrap(), "{damage}");
        let rebuilt = spaced.ask(Tier::Auto, 10);
        assert_eq!((rebuilt.tier, rebuilt.hits), (Tier::SqliteVec, meanwhile.hits), "{damage}");
    }
}

#[test]
fn a_mirror_with_other_vectors_is_not_believed() {
    let mut spaced = Spaced::new(8);
    spaced.fill(40);
    let scramble = "UPDATE vec_embeddings_vector_chunks00 SET vectors = randomblob(length(vectors))";
    spaced.store.raw().execute_batch(scramble).unwrap();
    let found = spaced.ask(Tier::Auto, 10);
    assert_eq!((found.tier, found.hits), (Tier::Window, spaced.ask(Tier::Window, 10).hits));
}

#[test]
fn a_forgotten_vector_is_in_no_tier_even_after_a_restart() {
    let mut spaced = Spaced::new(8);
    let ids = spaced.fill(10);
    let gone = spaced.ask(Tier::Auto, 1).hits[0];
    let (agent, id) = (spaced.agent.clone(), ids[3].clone());
    plant::forget(&spaced.store, &agent, &id);
    let drop = move |tx: &crate::WriteTx<'_>| {
        crate::derived::embedding::drop_vectors(
            tx,
            &agent,
            crate::derived::embedding::SourceType::Memory,
            id.as_str(),
        )
    };
    spaced.store.writer().write_blocking(drop).unwrap();
    for _ in 0..2 {
        for tier in [Tier::SqliteVec, Tier::Window] {
            let found = spaced.ask(tier, 10);
            assert_eq!((found.tier, found.hits.len()), (tier, 9));
            assert!(!Spaced::rids(&found).contains(&gone.rid));
        }
        spaced.store.reopen();
    }
    assert_eq!(spaced.store.number("SELECT count(*) FROM vec_embeddings_rowids"), 9);
}

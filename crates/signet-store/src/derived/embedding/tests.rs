//! What is stored, what is not, and what goes with its source.

use super::*;
use crate::derived::space::Spaced;
use crate::derived::work;
use crate::testing::plant;

#[test]
fn a_vector_is_stored_once_and_ends_the_wait() {
    let spaced = Spaced::new(4);
    let id = plant::memory(&spaced.store, &spaced.agent, "one");
    let (agent, memory) = (spaced.agent.clone(), id.clone());
    let embedded = |spaced: &Spaced| {
        let (agent, memory) = (agent.clone(), memory.clone());
        spaced.store.reader().read_blocking(move |tx| is_embedded(tx, &agent, &memory)).unwrap()
    };
    assert!(!embedded(&spaced));
    assert_eq!(spaced.put(spaced.made(&id, "one", vec![1.0, 0.5, 0.0, -2.0])), Stored::Stored);
    assert!(embedded(&spaced));
    assert_eq!(spaced.put(spaced.made(&id, "one", vec![0.0, 0.0, 0.0, 1.0])), Stored::Stored);
    let number = |sql| spaced.store.number(sql);
    assert_eq!(number("SELECT count(*) FROM embeddings"), 1);
    assert_eq!(number("SELECT count(*) FROM vec_embeddings_rowids"), 1);
    assert_eq!(number("SELECT count(*) FROM embedding_work"), 0);
    let blob: Vec<u8> =
        spaced.store.raw().query_row("SELECT vector FROM embeddings", [], |row| row.get(0)).unwrap();
    assert_eq!(blob, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f], "little-endian f32");
}

#[test]
fn a_vector_of_an_older_text_is_dropped_and_the_new_text_waits() {
    let spaced = Spaced::new(2);
    let id = plant::memory(&spaced.store, &spaced.agent, "old");
    let made = spaced.made(&id, "old", vec![1.0, 0.0]);
    plant::edit(&spaced.store, &spaced.agent, &id, "new");
    assert_eq!(spaced.put(made), Stored::Changed);
    let now = spaced.store.ids().now();
    let due =
        spaced.store.reader().read_blocking(move |tx| work::due(tx, work::Order::Newest, now, 9)).unwrap();
    assert_eq!(due.iter().map(|due| due.text.as_str()).collect::<Vec<_>>(), ["new"]);
    assert_eq!(spaced.put(spaced.made(&id, "new", vec![1.0, 0.0])), Stored::Stored);
    plant::forget(&spaced.store, &spaced.agent, &id);
    assert_eq!(spaced.put(spaced.made(&id, "new", vec![1.0, 0.0])), Stored::Gone);
}

#[test]
fn unsound_vectors_are_refused_and_the_text_still_waits() {
    let spaced = Spaced::new(2);
    let id = plant::memory(&spaced.store, &spaced.agent, "one");
    for bad in [vec![], vec![1.0], vec![1.0, 0.0, 0.0], vec![f32::NAN, 1.0], vec![0.0, 0.0]] {
        assert_eq!(spaced.put(spaced.made(&id, "one", bad)), Stored::Unsound);
    }
    assert_eq!(spaced.store.number("SELECT count(*) FROM embeddings"), 0);
    assert_eq!(spaced.store.number("SELECT count(*) FROM embedding_work"), 1);
}

#[test]
fn a_vector_without_a_mirror_is_stored_all_the_same() {
    let spaced = Spaced::new(2);
    let id = plant::memory(&spaced.store, &spaced.agent, "one");
    spaced.store.writer().write_blocking(vec::mark_absent).unwrap();
    assert_eq!(spaced.put(spaced.made(&id, "one", vec![1.0, 0.0])), Stored::Stored);
    let agent = spaced.agent.clone();
    let dropped = spaced
        .store
        .writer()
        .write_blocking(move |tx| drop_vectors(tx, &agent, SourceType::Memory, id.as_str()))
        .unwrap();
    assert_eq!(dropped, 1);
}

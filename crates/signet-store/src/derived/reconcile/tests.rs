//! Every live memory has a vector or a work row, whatever happened behind the triggers.

use signet_model::Timestamp;

use super::*;
use crate::derived::space::Spaced;
use crate::derived::work::{Order, due};
use crate::testing::plant;

/// Walks through everything and repairs it; returns how much was missing and orphaned.
fn walk(spaced: &Spaced, limit: usize) -> (usize, usize) {
    let (mut after, mut sums) = (Some(0), (0, 0));
    while let Some(from) = after {
        let active = spaced.active.clone();
        let found = spaced.store.reader().read_blocking(move |tx| inspect(tx, &active, from, limit)).unwrap();
        sums = (sums.0 + found.missing.len(), sums.1 + found.orphans.len());
        after = found.next;
        spaced.store.writer().write_blocking(move |tx| repair(tx, &found)).unwrap();
    }
    sums
}

#[test]
fn a_healthy_store_needs_nothing() {
    let mut spaced = Spaced::new(2);
    spaced.fill(10);
    plant::memory(&spaced.store, &spaced.agent, "waits");
    let before = spaced.store.dump();
    assert_eq!(walk(&spaced, 3), (0, 0));
    assert_eq!(spaced.store.dump(), before);
}

#[test]
fn what_was_broken_behind_the_triggers_is_queued_again() {
    let mut spaced = Spaced::new(2);
    spaced.fill(10);
    let other = plant::agent(&spaced.store, "other");
    plant::memory(&spaced.store, &other, "lost");
    spaced
        .store
        .raw()
        .execute_batch(
            "DELETE FROM embedding_work;
             DELETE FROM embeddings WHERE content_hash = 'text 1';
             UPDATE embeddings SET dimensions = 1, vector = zeroblob(4) WHERE content_hash = 'text 2';
             UPDATE embeddings SET vector = x'0000c07f0000c07f' WHERE content_hash = 'text 4';
             UPDATE embeddings SET content_hash = 'older' WHERE content_hash = 'text 5';
             UPDATE memories SET is_deleted = 1, deleted_at = '2026' WHERE content = 'text 6';",
        )
        .unwrap();
    assert_eq!(walk(&spaced, 3), (5, 1));
    let late = Timestamp::from_millis(4_000_000_000_000);
    let waiting = spaced.store.reader().read_blocking(move |tx| due(tx, Order::Newest, late, 99)).unwrap();
    let mut waiting: Vec<String> = waiting.into_iter().map(|due| due.text).collect();
    waiting.sort();
    assert_eq!(waiting, ["lost", "text 1", "text 2", "text 4", "text 5"]);
    assert_eq!(spaced.store.number("SELECT count(*) FROM embeddings"), 5);
    assert_eq!(walk(&spaced, 3), (0, 0));
}

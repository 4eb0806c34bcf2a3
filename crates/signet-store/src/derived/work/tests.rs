//! Who is served, how failures wait, and what coverage says.

use super::*;
use crate::derived::embedding::Stored;
use crate::derived::space::Spaced;
use crate::testing::{TestStore, plant};

fn texts(store: &TestStore, order: Order, limit: usize) -> Vec<String> {
    let now = store.ids().now();
    let due = store.reader().read_blocking(move |tx| due(tx, order, now, limit)).unwrap();
    due.into_iter().map(|due| due.text).collect()
}

#[test]
fn the_newest_are_served_first_or_the_oldest() {
    let store = TestStore::new();
    let agent = AgentId::default_agent();
    for text in ["first", "second", "third"] {
        plant::memory(&store, &agent, text);
        store.clock.advance(1);
    }
    assert_eq!(texts(&store, Order::Newest, 2), ["third", "second"]);
    assert_eq!(texts(&store, Order::Oldest, 2), ["first", "second"]);
}

#[test]
fn no_agent_takes_the_whole_batch_while_another_waits() {
    let store = TestStore::new();
    let quiet = plant::agent(&store, "quiet");
    plant::memory(&store, &quiet, "quiet one");
    store.clock.advance(1);
    let busy: Vec<String> = (0..20).map(|n| format!("busy {n}")).collect();
    let busy: Vec<&str> = busy.iter().map(String::as_str).collect();
    plant::memories(&store, &AgentId::default_agent(), &busy);
    let served = texts(&store, Order::Newest, 4);
    assert_eq!(served.len(), 3, "half of the batch for each, as far as it has work");
    assert!(served.contains(&"quiet one".to_owned()));
    assert_eq!(texts(&store, Order::Newest, 1).len(), 1);
}

#[test]
fn a_failing_row_waits_longer_each_time_and_a_refused_text_is_set_aside() {
    let store = TestStore::new();
    let agent = AgentId::default_agent();
    let memory = plant::memory(&store, &agent, "text");
    let charge = |class| {
        let failed = Failed { agent: agent.clone(), memory: memory.clone(), class, message: "no".to_owned() };
        store.writer().write_blocking(move |tx| fail(tx, &failed)).unwrap();
    };
    for minutes in [1, 5, 30, 60, 60] {
        charge(EmbedFailure::Dimension);
        store.clock.advance(minutes * 60_000 - 1);
        assert_eq!(texts(&store, Order::Newest, 9), [""; 0], "{minutes} minutes");
        store.clock.advance(1);
        assert_eq!(texts(&store, Order::Newest, 9), ["text"]);
    }
    plant::edit(&store, &agent, &memory, "another text");
    for tries in 1..=3 {
        assert_eq!(store.number("SELECT count(*) FROM embedding_work WHERE state = 'pending'"), 1, "{tries}");
        charge(EmbedFailure::ContextLimit);
    }
    store.clock.advance_days(30);
    assert_eq!(texts(&store, Order::Newest, 9), [""; 0]);
    let sql =
        "SELECT count(*) FROM embedding_work WHERE state = 'quarantined' AND failure_class = 'context_limit'";
    assert_eq!(store.number(sql), 1);
    plant::edit(&store, &agent, &memory, "a shorter text");
    assert_eq!(texts(&store, Order::Newest, 9), ["a shorter text"], "an edit is a new chance");
    plant::forget(&store, &agent, &memory);
    assert_eq!(store.number("SELECT count(*) FROM embedding_work"), 0);
    charge(EmbedFailure::ContextLimit);
}

#[test]
fn coverage_is_floored_and_never_whole_with_a_gap() {
    let check = |total, pending, quarantined, expect| {
        assert_eq!(Gaps { total, pending, quarantined }.coverage_permille(), expect);
    };
    check(0, 0, 0, 1000);
    check(1000, 0, 0, 1000);
    check(1000, 1, 0, 999);
    check(100_000, 0, 1, 999);
    check(7, 1, 0, 857);
    check(2, 5, 0, 0);
}

#[test]
fn gaps_follow_the_rows() {
    let mut spaced = Spaced::new(2);
    let read = |spaced: &Spaced| {
        let agent = spaced.agent.clone();
        spaced.store.reader().read_blocking(move |tx| gaps(tx, &agent)).unwrap()
    };
    let ids = spaced.fill(3);
    assert_eq!(read(&spaced), Gaps { total: 3, pending: 0, quarantined: 0 });
    let id = plant::memory(&spaced.store, &spaced.agent, "later");
    assert_eq!(read(&spaced), Gaps { total: 4, pending: 1, quarantined: 0 });
    assert_eq!(spaced.put(spaced.made(&id, "later", vec![1.0, 1.0])), Stored::Stored);
    plant::edit(&spaced.store, &spaced.agent, &ids[0], "edited");
    plant::forget(&spaced.store, &spaced.agent, &ids[1]);
    assert_eq!(read(&spaced), Gaps { total: 3, pending: 1, quarantined: 0 });
    assert_eq!(read(&spaced).coverage_permille(), 666);
}

#[test]
fn looking_for_work_walks_no_table_that_grows() {
    let store = TestStore::new();
    for sql in [HEADS_NEWEST, HEADS_OLDEST, DUE_NEWEST, DUE_OLDEST, ONE, PENDING] {
        crate::testing::plan::assert_no_scan(&store.raw(), sql);
    }
}

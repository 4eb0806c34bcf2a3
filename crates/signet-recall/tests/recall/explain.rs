//! Explain: counts balance, reasons are right, nothing changes by asking.

use signet_model::ReadPolicy;
use signet_model::memory::{Draft, Place};
use signet_model::recall::{Channels, Filters, Outcome, Reason, Request, Target};

use crate::world::World;

async fn target(world: &World, request: &Request, id: &str) -> Target {
    let asked = Request { explain_id: Some(id.to_owned()), ..request.clone() };
    let outcome = world.ask(&asked).await;
    outcome.explain.expect("explained").target.expect("a target")
}

fn without_times(mut outcome: Outcome) -> Outcome {
    outcome.meta.total = std::time::Duration::ZERO;
    outcome.meta.stages.clear();
    outcome.explain = None;
    for hit in &mut outcome.hits {
        hit.shares.clear();
        hit.rules.clear();
    }
    outcome
}

#[tokio::test]
async fn counts_balance_and_asking_changes_nothing() {
    let texts: Vec<String> = (0..40).map(|i| format!("kite number {i} over bay {}", i % 3)).collect();
    let world = World::of(&texts.iter().map(String::as_str).collect::<Vec<_>>(), Channels::All).await;
    for query in ["kite bay", "number 7", "zebra", "the of"] {
        let plain = world.ask(&Request::new(query)).await;
        let explained = world.ask(&Request { explain: true, ..Request::new(query) }).await;
        let stages = explained.explain.clone().expect("explained").stages;
        let mut before = 0;
        for stage in &stages {
            assert_eq!(stage.entered - stage.dropped_total + stage.added, stage.left, "{query}: {stage:?}");
            assert_eq!(stage.entered, before, "{query}: {} takes what was left", stage.name);
            assert!(stage.dropped.len() <= 100 && stage.dropped.len() <= stage.dropped_total);
            before = stage.left;
        }
        assert_eq!(before, plain.hits.len(), "{query}");
        assert_eq!(without_times(explained), without_times(plain), "{query}");
    }
}

#[tokio::test]
async fn a_missing_row_is_accounted_for() {
    let world = World::of(&["red kite", "a red door", "tea"], Channels::Text).await;
    let place = Place { project: "other".to_owned(), ..Place::default() };
    let twin = Draft { content: "red kite!".to_owned(), place: place.clone(), ..Draft::default() };
    let twin = world.keep("default", twin).await;
    let filtered =
        world.keep("default", Draft { kind: Some("decision".to_owned()), place, ..draft("red sky") }).await;
    world.agent("stranger", &ReadPolicy::Isolated).await;
    let foreign = world.keep("stranger", draft("red foreign kite")).await;
    let request = Request::new("red kite");

    let all = world.ask(&request).await;
    let kept =
        all.hits.iter().find(|hit| hit.memory.id != twin && hit.memory.content.starts_with("red kite"));
    let lost = if kept.is_some() { twin.clone() } else { all_ids(&world, "red kite") };
    let doubled = target(&world, &request, lost.as_str()).await;
    assert_eq!((doubled.dropped_at, doubled.reason), (Some("shape"), Some(Reason::DuplicateText)));

    let filters = Filters { kind: Some("fact".to_owned()), ..Filters::default() };
    let typed = Request { filters, ..request.clone() };
    let out = target(&world, &typed, filtered.as_str()).await;
    assert_eq!((out.dropped_at, out.reason), (Some("scope"), Some(Reason::FilteredType)));
    let filters = Filters { project: Some("third".to_owned()), ..Filters::default() };
    let out = target(&world, &Request { filters, ..request.clone() }, filtered.as_str()).await;
    assert_eq!(out.reason, Some(Reason::FilteredProject));

    let weak = Request { min_score: Some(0.9), ..request.clone() };
    let out = target(&world, &weak, filtered.as_str()).await;
    assert_eq!((out.dropped_at, out.reason), (Some("limit"), Some(Reason::BelowCallerMinScore)));

    for hidden in [foreign.as_str(), "unknown"] {
        let out = target(&world, &request, hidden).await;
        assert_eq!(
            (out.dropped_at, out.reason, out.found_in.len()),
            (None, Some(Reason::NotFound), 0),
            "{hidden}"
        );
    }
    let tea = all_ids(&world, "tea");
    let out = target(&world, &request, tea.as_str()).await;
    assert_eq!(out.reason, Some(Reason::NoChannelMatch));
    let found = target(&world, &request, filtered.as_str()).await;
    assert_eq!((found.reason, found.found_in), (None, vec!["lexical"]));
}

fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

/// Id of the stored row with exactly this text.
fn all_ids(world: &World, text: &str) -> signet_model::MemoryId {
    let sql = format!("SELECT id FROM memories WHERE content = '{text}'");
    let id: String = world.store.raw().query_row(&sql, [], |row| row.get(0)).expect("one row");
    signet_model::MemoryId::from(id.as_str())
}

#[tokio::test]
async fn every_state_that_hides_a_row_has_its_reason() {
    let world = World::new();
    let ids =
        [world.say("red kite one").await, world.say("red kite two").await, world.say("red kite three").await];
    let raw = world.store.raw();
    let set = |sql: &str, id: &str| {
        raw.execute(&format!("UPDATE memories SET {sql} WHERE id = '{id}'"), []).unwrap()
    };
    set("superseded_by = 'x'", ids[0].as_str());
    set("stale_at = '2026-01-01'", ids[1].as_str());
    set("is_deleted = 1, deleted_at = '2026-01-01'", ids[2].as_str());
    for (id, reason) in ids.iter().zip([Reason::Superseded, Reason::Stale, Reason::Tombstoned]) {
        let out = target(&world, &Request::new("kite"), id.as_str()).await;
        assert_eq!((out.dropped_at, out.reason), (Some("scope"), Some(reason)));
    }
    assert_eq!(world.texts("kite").await, Vec::<String>::new());
}

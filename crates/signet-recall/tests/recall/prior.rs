//! Priors and dampings through the whole recall: they reorder and never drop.

use signet_model::memory::Draft;
use signet_model::recall::{Channels, Filters, Request};
use signet_model::{AgentId, MemoryId, Timestamp};
use signet_recall::Settings;
use signet_recall::settings::{Prior, Switch};
use signet_store::evidence::memory::access::record_access;

use crate::world::{World, scope};

fn dated(content: &str, at: &str) -> Draft {
    let mut draft = Draft { content: content.to_owned(), ..Draft::default() };
    draft.times.created_at = Timestamp::parse_stored(at);
    draft
}

async fn ids(world: &World, request: &Request, settings: Settings) -> Vec<MemoryId> {
    let outcome = world.recall(settings).recall(&scope("default"), request).await.unwrap();
    outcome.hits.into_iter().map(|hit| hit.memory.id).collect()
}

/// Everything off that looks at use, age, meaning or kind.
fn plain() -> Settings {
    let off = Prior { weight: 0.0, half_life_days: 30.0 };
    Settings {
        rehearsal: off,
        freshness: off,
        gravity: Switch::Off,
        resolution: Switch::Off,
        rerank: Switch::Off,
        ..Settings::default()
    }
}

#[tokio::test]
async fn what_is_recalled_often_comes_first_among_equals() {
    let world = World::new();
    let used = world.keep("default", dated("the red kite flies", "2026-01-01T00:00:00.000Z")).await;
    let newer = world.keep("default", dated("the red kite lands", "2026-01-02T00:00:00.000Z")).await;
    let request = Request::new("red kite");
    assert_eq!(ids(&world, &request, Settings::default()).await, [newer.clone(), used.clone()]);
    let recalled = vec![(AgentId::default_agent(), used.clone()); 3];
    world.store.writer().write(move |tx| record_access(tx, &recalled)).await.unwrap();
    assert_eq!(ids(&world, &request, Settings::default()).await, [used.clone(), newer.clone()]);
    assert_eq!(ids(&world, &request, plain()).await, [newer, used]);
}

#[tokio::test]
async fn only_a_question_for_the_newest_prefers_new_rows() {
    let world = World::new();
    let old = world
        .keep("default", dated("the kite port is 8080 or so they say", "2023-01-01T00:00:00.000Z"))
        .await;
    let now = world.store.clock.clone();
    let today = signet_model::Clock::now(&now).to_string();
    let new = world.keep("default", dated("the kite port is 9090", &today)).await;
    let old_first = [old.clone(), new.clone()];
    assert_eq!(ids(&world, &Request::new("kite port"), plain()).await, old_first);
    assert_eq!(ids(&world, &Request::new("kite port"), Settings::default()).await, old_first);
    let strong = Settings { freshness: Prior { weight: 1.0, half_life_days: 14.0 }, ..plain() };
    assert_eq!(ids(&world, &Request::new("kite port"), strong.clone()).await, old_first);
    assert_eq!(ids(&world, &Request::new("latest kite port"), strong.clone()).await, [new, old.clone()]);
    let filters =
        Filters { since: Timestamp::parse_stored("2020-01-01T00:00:00.000Z"), ..Filters::default() };
    let bounded = Request { filters, ..Request::new("latest kite port") };
    assert_eq!(ids(&world, &bounded, strong).await[0], old, "a range says itself how new");
}

#[tokio::test]
async fn old_rows_are_found_as_if_they_were_new() {
    let texts = ["the red kite flies over the bay", "a kite shop", "the bay at noon"];
    let mut answers = Vec::new();
    for year in ["2003", "2026"] {
        let world = World::new();
        for text in texts {
            world.keep("default", dated(text, &format!("{year}-02-01T00:00:00.000Z"))).await;
        }
        world.embed().await;
        let outcome = world.ask(&Request::new("red kite bay")).await;
        let found: Vec<(String, f64)> =
            outcome.hits.into_iter().map(|hit| (hit.memory.content, hit.score)).collect();
        answers.push(found);
    }
    assert_eq!(answers[0].len(), 3);
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn decisions_and_dated_statements_weigh_more() {
    let world = World::new();
    let plain_row =
        world.keep("default", dated("the red kite team meets in the hall", "2026-01-02T00:00:00.000Z")).await;
    let mut decided = dated("the red kite team meets in the yard", "2026-01-01T00:00:00.000Z");
    decided.kind = Some("decision".to_owned());
    let decided = world.keep("default", decided).await;
    let request = Request::new("red kite team");
    assert_eq!(ids(&world, &request, plain()).await, [plain_row.clone(), decided.clone()]);
    let settings = Settings { resolution: Switch::On, ..plain() };
    assert_eq!(ids(&world, &request, settings).await, [decided, plain_row]);
}

#[tokio::test]
async fn a_row_that_only_looks_alike_keeps_its_place_in_the_answer() {
    let world = World::of(&["the red kite flies"], Channels::All).await;
    let request =
        Request { channels: Channels::Semantic, explain: true, ..Request::new("red kite flies the") };
    let outcome = world.ask(&request).await;
    assert_eq!(outcome.hits.len(), 1);
    let rules: Vec<&str> = outcome.hits[0].rules.iter().map(|(rule, ..)| *rule).collect();
    assert!(rules.contains(&"gravity") && rules.contains(&"rerank"), "{rules:?}");
    assert!((outcome.hits[0].score - 0.3).abs() < f64::EPSILON, "{}", outcome.hits[0].score);
}

//! Every channel alone and together, with few rows and behind filters.

use signet_model::memory::{Draft, Place};
use signet_model::recall::{Channels, Filters, ItemKind, Method, Origin, Request};
use signet_model::{MemoryId, Timestamp};

use crate::world::World;

fn with(channels: Channels, query: &str) -> Request {
    Request { channels, ..Request::new(query) }
}

const ALL: [Channels; 3] = [Channels::All, Channels::Text, Channels::Semantic];

#[tokio::test]
async fn no_one_and_two_rows_work_in_every_channel() {
    let texts = ["the build server port", "the ferry port"];
    for count in 0..=2 {
        let world = World::of(&texts[..count], Channels::All).await;
        for channels in ALL {
            let outcome = world.ask(&with(channels, "build server port")).await;
            assert_eq!(outcome.hits.len(), count, "{count} rows, {channels:?}");
            if count > 0 {
                assert_eq!(outcome.hits[0].memory.content, texts[0], "{channels:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_method_says_what_ran() {
    let world = World::of(&["the build server port"], Channels::All).await;
    for (channels, method) in [
        (Channels::All, Method::Hybrid),
        (Channels::Text, Method::Keyword),
        (Channels::Semantic, Method::Hybrid),
    ] {
        assert_eq!(world.ask(&with(channels, "port")).await.method, method);
    }
    let none = Request { kinds: vec![ItemKind::Claim], ..Request::new("port") };
    let outcome = world.ask(&none).await;
    assert_eq!((outcome.method, outcome.hits.len()), (Method::None, 0));
}

#[tokio::test]
async fn a_hint_finds_its_memory_without_a_word_of_it() {
    let world = World::new();
    let draft = Draft {
        content: "Grafana moved to 3000.".to_owned(),
        hints: vec!["Which dashboard address do we use?".to_owned()],
        ..Draft::default()
    };
    let id = world.keep("default", draft).await;
    world.say("Bob likes tea.").await;
    let outcome = world.ask(&Request::new("dashboard address")).await;
    assert_eq!(outcome.hits.len(), 1);
    assert_eq!((&outcome.hits[0].memory.id, outcome.hits[0].origin), (&id, Origin::Hint));
    assert!(outcome.hits[0].score <= 0.75);
}

/// Many rows that fit the query better, and one that also fits the filter.
async fn decoys(wanted: Draft) -> (World, MemoryId) {
    let world = World::new();
    for i in 0..400 {
        let mut decoy = Draft { content: format!("the build server port {i}"), ..Draft::default() };
        decoy.hints = vec![format!("build server port {i}?")];
        decoy.importance = Some(0.2);
        decoy.who = Some("ben".to_owned());
        decoy.times.created_at = Timestamp::parse_stored("2025-01-01T00:00:00.000Z");
        world.keep("default", decoy).await;
    }
    let wanted = Draft {
        content: "the build server port and then many other words that make this row longer than the rest"
            .to_owned(),
        hints: vec!["build server port among quite a few other words in a longer hint?".to_owned()],
        ..wanted
    };
    let id = world.keep("default", wanted).await;
    world.embed().await;
    (world, id)
}

#[tokio::test]
async fn each_filter_finds_the_one_row_behind_many_by_each_channel() {
    let place = |project: &str, scope: &str| Place {
        project: project.to_owned(),
        scope: scope.to_owned(),
        ..Place::default()
    };
    let filters = Filters::default;
    let cases: Vec<(Draft, Filters)> = vec![
        (
            Draft { place: place("billing", ""), ..Draft::default() },
            Filters { project: Some("billing".to_owned()), ..filters() },
        ),
        (
            Draft { place: place("", "draft"), ..Draft::default() },
            Filters { scope: Some("draft".to_owned()), ..filters() },
        ),
        (
            Draft {
                kind: Some("decision".to_owned()),
                tags: Some(vec!["a".to_owned(), "b".to_owned()]),
                who: Some("eve".to_owned()),
                pinned: Some(true),
                importance: Some(0.9),
                ..Draft::default()
            },
            Filters { kind: Some("decision".to_owned()), ..filters() },
        ),
    ];
    for (draft, filter) in cases {
        let rich = draft.kind.is_some();
        let (world, id) = decoys(draft).await;
        let mut all = vec![filter];
        if rich {
            all.push(Filters { tags: vec!["b".to_owned(), "a".to_owned()], ..filters() });
            all.push(Filters { who: Some("eve".to_owned()), ..filters() });
            all.push(Filters { pinned: Some(true), ..filters() });
            all.push(Filters { importance_min: Some(0.8), ..filters() });
            all.push(Filters { since: Timestamp::parse_stored("2025-06-01T00:00:00.000Z"), ..filters() });
        }
        for filters in all {
            for channels in ALL {
                let request =
                    Request { limit: 5, filters: filters.clone(), ..with(channels, "build server port") };
                let found: Vec<MemoryId> =
                    world.ask(&request).await.hits.into_iter().map(|hit| hit.memory.id).collect();
                assert_eq!(found, std::slice::from_ref(&id), "{filters:?} by {channels:?}");
            }
        }
    }
}

#[tokio::test]
async fn rows_of_a_text_scope_are_found_only_when_it_is_named() {
    let world = World::new();
    let place = Place { scope: "draft".to_owned(), ..Place::default() };
    world.keep("default", Draft { content: "draft port".to_owned(), place, ..Draft::default() }).await;
    world.say("ordinary port").await;
    assert_eq!(world.texts("port").await, ["ordinary port"]);
    let named = Filters { scope: Some("draft".to_owned()), ..Filters::default() };
    let outcome = world.ask(&Request { filters: named, ..Request::new("port") }).await;
    assert_eq!(outcome.hits.len(), 1);
    assert_eq!(outcome.hits[0].memory.content, "draft port");
}

#[tokio::test]
async fn the_order_does_not_depend_on_the_order_of_writing() {
    let texts = [
        "red kite at noon",
        "the kite is red and large",
        "a kite",
        "red sand of an old desert",
        "blue kite over red roofs",
    ];
    let mut orders = Vec::new();
    for turn in 0..texts.len() {
        let mut rotated = texts.to_vec();
        rotated.rotate_left(turn);
        let world = World::new();
        for text in rotated {
            let mut draft = Draft { content: text.to_owned(), ..Draft::default() };
            draft.times.created_at = Timestamp::parse_stored("2026-01-01T00:00:00.000Z");
            world.keep("default", draft).await;
        }
        world.embed().await;
        orders.push(world.texts("red kite roofs").await);
    }
    assert!(orders[0].len() >= 4);
    assert!(orders.windows(2).all(|pair| pair[0] == pair[1]), "{orders:#?}");
}

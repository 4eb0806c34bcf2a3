//! The shown score belongs to the row, the order to the question.

use signet_model::recall::{Channels, Request};
use signet_recall::{Settings, Weights};

use crate::world::{World, scope};

/// Shown score of the row with this text, under these settings.
async fn score(world: &World, query: &str, text: &str, settings: Settings) -> f64 {
    let request = Request { limit: 100, ..Request::new(query) };
    let outcome = world.recall(settings).recall(&scope("default"), &request).await.unwrap();
    outcome.hits.iter().find(|hit| hit.memory.content == text).expect("is found").score
}

/// The row, and rows that the query also finds. Neutral rows keep the corpus the same size.
fn crowd(text: &'static str, others: &'static str) -> Vec<String> {
    let mut texts = vec![text.to_owned()];
    texts.extend((0..50).map(|i| format!("{others} {i}")));
    texts
}

#[tokio::test]
async fn a_score_is_the_same_alone_and_among_others() {
    let text = "the build server listens on a port";
    // Both corpora have the same size, mean length and frequencies of the query's words.
    let alone = crowd(text, "quite other words stand in here ok");
    let among = crowd(text, "the harbour pilot listens on channel");
    let world = |texts: Vec<String>| async move {
        World::of(&texts.iter().map(String::as_str).collect::<Vec<_>>(), Channels::All).await
    };
    let (alone, among) = (world(alone).await, world(among).await);
    let query = "build server port";
    let first = score(&alone, query, text, Settings::default()).await;
    let second = score(&among, query, text, Settings::default()).await;
    assert!((first - second).abs() < f64::EPSILON, "{first} and {second}");
    assert!(first < 1.0);
}

#[tokio::test]
async fn one_poor_hit_does_not_look_perfect() {
    let world = World::of(&["the port of Hamburg", "tea", "coffee", "cake"], Channels::Text).await;
    let outcome = world.ask(&Request::new("zebra giraffe lion tiger port")).await;
    assert_eq!(outcome.hits.len(), 1);
    assert!(outcome.hits[0].score < 0.2, "{}", outcome.hits[0].score);
}

#[tokio::test]
async fn weights_move_the_order_and_never_the_score() {
    let texts = ["red kite over the bay", "a red door", "kite string", "the bay at noon", "red red red"];
    let world = World::of(&texts, Channels::All).await;
    let scaled = |factor: f64| {
        let w = Weights::default();
        Settings {
            weights: Weights {
                lexical: w.lexical * factor,
                semantic: w.semantic * factor,
                coverage: w.coverage * factor,
                short: w.short * factor,
                ..w
            },
            ..Settings::default()
        }
    };
    for text in texts {
        let normal = score(&world, "red kite bay", text, Settings::default()).await;
        for factor in [0.0, 2.0, -1.0] {
            let moved = score(&world, "red kite bay", text, scaled(factor)).await;
            assert!((normal - moved).abs() < f64::EPSILON, "{text}: {normal} and {moved}");
        }
    }
}

#[tokio::test]
async fn the_callers_least_score_cuts_direct_matches_too() {
    let world = World::of(&["red kite over the bay", "a red door by the house"], Channels::Text).await;
    let all = world.ask(&Request::new("red kite bay")).await;
    let scores: Vec<f64> = all.hits.iter().map(|hit| hit.score).collect();
    assert_eq!(scores.len(), 2);
    let request = Request { min_score: Some(scores[0]), ..Request::new("red kite bay") };
    let cut = world.ask(&request).await;
    assert_eq!(cut.hits, all.hits[..1]);
}

#[tokio::test]
async fn fewer_results_are_a_prefix_of_more() {
    let texts: Vec<String> =
        (0..30).map(|i| format!("kite number {i} {}", "over the bay ".repeat(i % 4))).collect();
    let world = World::of(&texts.iter().map(String::as_str).collect::<Vec<_>>(), Channels::All).await;
    let more = world.ask(&Request { limit: 20, ..Request::new("kite bay") }).await;
    let fewer = world.ask(&Request { limit: 5, ..Request::new("kite bay") }).await;
    assert_eq!(fewer.hits, more.hits[..5]);
}

#[tokio::test]
async fn equal_texts_come_once_and_long_ones_are_cut() {
    let long = format!("kite {}", "word ".repeat(140));
    let world = World::of(&["Kite!", &long], Channels::Text).await;
    let place = signet_model::memory::Place { project: "other".to_owned(), ..Default::default() };
    let twin = signet_model::memory::Draft { content: "kite".to_owned(), place, ..Default::default() };
    world.keep("default", twin).await;
    let outcome = world.ask(&Request::new("kite")).await;
    assert_eq!(outcome.hits.len(), 2);
    let cut = outcome.hits.iter().find(|hit| hit.memory.truncated).expect("the long one");
    assert_eq!((cut.memory.content.chars().count(), cut.memory.content_length), (500, long.trim_end().len()));
}

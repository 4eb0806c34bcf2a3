//! The neighbours of a memory.

use signet_model::memory::Draft;
use signet_model::recall::{Channels, Completeness, Filters};
use signet_model::{MemoryId, ReadPolicy};
use signet_recall::{Settings, Similar, SimilarRequest};

use crate::world::{World, scope};

async fn similar(world: &World, agent: &str, id: &MemoryId, filters: Filters) -> Option<Similar> {
    let request = SimilarRequest { id: id.clone(), k: 2, filters };
    world.recall(Settings::default()).similar(&scope(agent), request).await.unwrap()
}

fn texts(similar: Option<Similar>) -> Vec<String> {
    similar.expect("has a vector").hits.into_iter().map(|(memory, _)| memory.content).collect()
}

#[tokio::test]
async fn the_nearest_come_first_and_never_the_memory_itself() {
    let world =
        World::of(&["red kite flies", "red kite lands far", "red door", "green tea"], Channels::All).await;
    let id = world.say("red kite flies high").await;
    world.embed().await;
    let found = similar(&world, "default", &id, Filters::default()).await.expect("has a vector");
    assert_eq!(found.completeness, Completeness::Complete);
    let cosines: Vec<f64> = found.hits.iter().map(|(_, cosine)| *cosine).collect();
    assert!(cosines[0] > cosines[1] && cosines[0] < 1.0, "{cosines:?}");
    assert_eq!(texts(Some(found)), ["red kite flies", "red kite lands far"]);
    let decisions = Filters { kind: Some("decision".to_owned()), ..Filters::default() };
    assert_eq!(texts(similar(&world, "default", &id, decisions).await), Vec::<String>::new());
}

#[tokio::test]
async fn what_has_nothing_in_common_is_no_neighbour() {
    let world = World::of(&["red kite flies", "green tea"], Channels::All).await;
    let id = world.say("red kite lands").await;
    world.embed().await;
    assert_eq!(texts(similar(&world, "default", &id, Filters::default()).await), ["red kite flies"]);
    world.store.raw().execute_batch("UPDATE embedding_profiles SET noise_floor = 0.99").unwrap();
    assert_eq!(texts(similar(&world, "default", &id, Filters::default()).await), Vec::<String>::new());
}

#[tokio::test]
async fn a_foreign_a_forgotten_and_an_unembedded_memory_have_no_neighbours() {
    let world = World::of(&["red kite flies"], Channels::All).await;
    world.agent("stranger", &ReadPolicy::Isolated).await;
    let draft = Draft { content: "red kite of a stranger".to_owned(), ..Draft::default() };
    let foreign = world.keep("stranger", draft).await;
    let fresh = world.say("red kite without a vector").await;
    assert_eq!(similar(&world, "default", &fresh, Filters::default()).await, None);
    world.embed().await;
    assert_eq!(similar(&world, "default", &foreign, Filters::default()).await, None);
    assert_eq!(similar(&world, "default", &MemoryId::from("unknown"), Filters::default()).await, None);
    assert_eq!(texts(similar(&world, "default", &fresh, Filters::default()).await), ["red kite flies"]);
    assert_eq!(texts(similar(&world, "stranger", &foreign, Filters::default()).await), Vec::<String>::new());
}

#[tokio::test]
async fn a_reader_of_shared_rows_gets_neighbours_of_their_owners() {
    let world = World::of(&["red kite flies"], Channels::All).await;
    world.agent("friend", &ReadPolicy::Shared).await;
    let draft = Draft { content: "red kite lands".to_owned(), ..Draft::default() };
    let theirs = world.keep("friend", draft).await;
    world.embed().await;
    assert_eq!(texts(similar(&world, "default", &theirs, Filters::default()).await), ["red kite flies"]);
}

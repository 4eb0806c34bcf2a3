//! Texts whose vector is still to come are named in the answer.

use std::sync::Arc;

use signet_model::ReadPolicy;
use signet_model::memory::Draft;
use signet_model::recall::{Channels, ItemKind, Request};
use signet_provider::fake::FakeEmbedder;

use crate::world::World;

async fn pending(world: &World, request: Request) -> u64 {
    world.ask(&request).await.meta.pending_vectors
}

#[tokio::test]
async fn right_after_a_remember_the_answer_says_what_waits() {
    let world = World::new();
    assert_eq!(pending(&world, Request::new("port")).await, 0);
    world.say("the build server port").await;
    assert_eq!(pending(&world, Request::new("port")).await, 1, "before the first vector");
    world.embed().await;
    assert_eq!(pending(&world, Request::new("port")).await, 0);
    world.say("the harbour of the port").await;
    world.say("the ferry").await;
    assert_eq!(pending(&world, Request::new("port")).await, 2);
}

#[tokio::test]
async fn nothing_is_said_where_vectors_are_not_searched() {
    let mut world = World::of(&["the build server port"], Channels::Text).await;
    assert_eq!(pending(&world, Request::new("port")).await, 1);
    assert_eq!(pending(&world, Request { channels: Channels::Text, ..Request::new("port") }).await, 0);
    assert_eq!(pending(&world, Request { kinds: vec![ItemKind::Claim], ..Request::new("port") }).await, 0);
    world.embedder = Arc::new(FakeEmbedder::with_profile(None));
    assert_eq!(pending(&world, Request::new("port")).await, 0);
}

#[tokio::test]
async fn rows_of_others_are_not_counted() {
    let world = World::new();
    world.agent("friend", &ReadPolicy::Shared).await;
    let draft = Draft { content: "the build server port".to_owned(), ..Draft::default() };
    world.keep("friend", draft).await;
    assert_eq!(pending(&world, Request::new("port")).await, 0);
    let theirs = world.ask_as(&crate::world::scope("friend"), &Request::new("port")).await;
    assert_eq!(theirs.meta.pending_vectors, 1);
}

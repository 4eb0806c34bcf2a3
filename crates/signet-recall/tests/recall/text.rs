//! Awkward texts and queries: none fails, and what shares a word is found.

use proptest::prelude::*;
use serde_json::Value;
use signet_model::recall::{Channels, Request};

use crate::world::World;

const TORTURE: &str = include_str!("../data/search-torture.json");

/// Runs the whole file; `__EMPTY__` must find nothing, `__SAFE__` and null must only not fail.
async fn torture(channels: Channels) {
    let file: Value = serde_json::from_str(TORTURE).unwrap();
    let documents = file["documents"].as_array().unwrap();
    let texts: Vec<&str> = documents.iter().map(|document| document["text"].as_str().unwrap()).collect();
    let world = World::of(&texts, channels).await;
    let queries = file["queries"].as_array().unwrap();
    assert_eq!(queries.len(), 25);
    for query in queries {
        let text = query["q"].as_str().unwrap();
        let found = world.texts(text).await;
        match query["expect_top"].as_str() {
            Some("__EMPTY__") => assert!(found.is_empty(), "{text:?} found {found:?}"),
            Some("__SAFE__") | None => {}
            Some(id) => {
                let wanted = documents.iter().find(|document| document["id"] == id).unwrap();
                let wanted = wanted["text"].as_str().unwrap().replace('\0', "");
                assert_eq!(found.first(), Some(&wanted), "{text:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_torture_set_passes_whole_by_words() {
    torture(Channels::Text).await;
}

#[tokio::test]
async fn the_torture_set_passes_whole_with_vectors() {
    torture(Channels::All).await;
}

#[tokio::test]
async fn what_matches_nothing_brings_nothing() {
    let world =
        World::of(&["The build server listens on port 8080.", "Bob likes tea."], Channels::Text).await;
    for query in ["Пользователь", "???", "…", "花生", "zebra", "\u{200b}", "( ) \" *"] {
        assert_eq!(world.texts(query).await, Vec::<String>::new(), "{query:?}");
    }
    assert_eq!(world.texts("port").await.len(), 1);
}

#[tokio::test]
async fn both_forms_of_an_accent_find_each_other() {
    let composed = "Café Zoë in Düsseldorf";
    let parted = "Cre\u{300}me bru\u{302}le\u{301}e at Jose\u{301}'s";
    let world = World::of(&[composed, parted], Channels::Text).await;
    assert_eq!(world.texts("Cafe\u{301} Zoe\u{308}").await, [composed]);
    assert_eq!(world.texts("Crème José").await, [parted]);
}

#[tokio::test]
async fn function_words_alone_are_asked_as_a_phrase() {
    let world = World::of(&["To be or not to be.", "It is what it is."], Channels::Text).await;
    assert_eq!(world.texts("what it is").await, ["It is what it is."]);
    assert_eq!(world.texts("is it what").await, Vec::<String>::new());
}

#[tokio::test]
async fn rows_with_all_of_few_words_come_first_and_others_fill_up() {
    let texts = ["red kite over the bay", "a red door", "kite string", "blue sky"];
    let world = World::of(&texts, Channels::Text).await;
    let found = world.texts("red kite").await;
    assert_eq!(found[0], texts[0]);
    assert_eq!(found.len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_query_text_fails(queries in proptest::collection::vec("\\PC{1,60}|[\"'*:^(){}AND OR NOT NEAR+-]{1,40}", 8)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let world = World::of(&["near and not", "C++ \"quoted\" (x)"], Channels::All).await;
            for query in &queries {
                world.ask(&Request::new(query.as_str())).await;
            }
        });
    }
}

//! The native provider as a whole: against reference vectors, with other models, under load.

#![expect(clippy::expect_used, reason = "tests")]

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Deserialize;
use signet_model::embed::{Availability, EmbedRole, Embedded, Embedder};
use signet_provider::native::{NativeEmbedder, NativeOptions};

#[derive(Deserialize)]
struct Reference {
    text: String,
    vector: Vec<f32>,
}

fn reference() -> Vec<Reference> {
    serde_json::from_str(include_str!("reference/minilm.json")).expect("reference reads")
}

fn embedder() -> NativeEmbedder {
    NativeEmbedder::new(&NativeOptions::default()).expect("built-in model")
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

async fn documents(embedder: &NativeEmbedder, texts: &[&str]) -> Vec<Embedded> {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    embedder.embed(EmbedRole::Document, texts).await.expect("embeds")
}

#[tokio::test]
async fn vectors_are_those_of_the_reference() {
    let reference = reference();
    let texts: Vec<&str> = reference.iter().map(|row| row.text.as_str()).collect();
    let vectors = documents(&embedder(), &texts).await;
    assert_eq!(vectors.len(), reference.len());
    for (row, got) in reference.iter().zip(&vectors) {
        let near = cosine(&row.vector, &got.vector);
        // What int8 costs shows most in a text of one word.
        let least = if row.text.contains(' ') || row.text.chars().count() > 10 { 0.999 } else { 0.997 };
        assert!(near >= least, "{near}: {}", row.text);
        assert!((cosine(&got.vector, &got.vector) - 1.0).abs() < 1e-5);
    }
    let cut: Vec<bool> = vectors.iter().map(|got| got.truncated).collect();
    assert_eq!(cut.iter().filter(|cut| **cut).count(), 1, "only the long text is cut");
    assert!(cosine(&vectors[0].vector, &vectors[1].vector) > 0.5, "a cat and a kitten");
    assert!(cosine(&vectors[0].vector, &vectors[2].vector) < 0.2, "a cat and a quarter's revenue");
}

#[tokio::test]
async fn a_vector_does_not_depend_on_its_company() {
    let embedder = embedder();
    let reference = reference();
    let texts: Vec<&str> = reference.iter().map(|row| row.text.as_str()).collect();
    let together = documents(&embedder, &texts).await;
    let mut backwards = texts.clone();
    backwards.reverse();
    let mut reversed = documents(&embedder, &backwards).await;
    reversed.reverse();
    assert_eq!(together, reversed);
    for (text, expect) in texts.iter().zip(&together) {
        assert_eq!(documents(&embedder, &[text]).await, std::slice::from_ref(expect), "{text}");
        let query = embedder.embed(EmbedRole::Query, vec![(*text).to_owned()]).await.expect("embeds");
        assert_eq!(query, std::slice::from_ref(expect), "{text}");
    }
}

#[tokio::test]
async fn odd_texts_have_sound_vectors() {
    let huge = "word ".repeat(200_000);
    let odd = ["", " ", "\u{0}", "\u{200b}\u{202e}", "🎉", "aaaaaaaa", &"a".repeat(1 << 20), &huge];
    for (text, got) in odd.iter().zip(documents(&embedder(), &odd).await) {
        let head: String = text.chars().take(20).collect();
        assert!((cosine(&got.vector, &got.vector) - 1.0).abs() < 1e-5, "{head:?}");
        assert_eq!(got.truncated, text.len() > 10_000, "{head:?}");
    }
}

#[tokio::test]
async fn nothing_is_loaded_before_the_first_text_and_it_goes_after_an_idle_time() {
    let options = NativeOptions { idle: Duration::from_millis(20), ..NativeOptions::default() };
    let embedder = NativeEmbedder::new(&options).expect("built-in model");
    assert!(!embedder.is_loaded());
    assert_eq!(embedder.availability(), Availability::Unknown);
    let first = documents(&embedder, &["one"]).await;
    assert_eq!(embedder.availability(), Availability::Up);
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while embedder.is_loaded() {
        assert!(std::time::Instant::now() < deadline, "the model stayed in memory");
        std::thread::yield_now();
    }
    assert_eq!(documents(&embedder, &["one"]).await, first, "it loads again, to the same vectors");
}

#[tokio::test]
async fn a_query_overtakes_a_long_batch() {
    let embedder = NativeEmbedder::new(&NativeOptions { document_threads: 1, ..NativeOptions::default() });
    let embedder = embedder.expect("built-in model");
    let long = "The importer keeps the original file beside the extracted text. ".repeat(12);
    let batch = embedder.embed(EmbedRole::Document, vec![long; 40]);
    let query = embedder.embed(EmbedRole::Query, vec!["which file is kept?".to_owned()]);
    tokio::select! {
        biased;
        _ = batch => panic!("the query waited for the whole batch"),
        answer = query => assert_eq!(answer.expect("embeds").len(), 1),
    }
}

#[tokio::test]
async fn equal_calls_from_many_tasks_agree() {
    let embedder = std::sync::Arc::new(embedder());
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let embedder = std::sync::Arc::clone(&embedder);
        calls.spawn(async move {
            let texts = vec!["one and the same".to_owned(), "another".to_owned()];
            let vectors = embedder.embed(EmbedRole::Document, texts).await.expect("embeds");
            vectors.iter().flat_map(|v| v.vector.iter().flat_map(|x| x.to_le_bytes())).collect::<Vec<u8>>()
        });
    }
    let answers: BTreeSet<Vec<u8>> = calls.join_all().await.into_iter().collect();
    assert_eq!(answers.len(), 1);
}

//! Doubles of the ports: an embedder that counts words, a tracker that does nothing.

use std::time::Duration;

use signet_model::embed::{
    Availability, BoxFuture, EmbedError, EmbedRole, Embedded, Embedder, EmbeddingTracker, Profile,
    TrackerStatus,
};
use signet_model::{AgentId, MemoryId};

const DIMENSIONS: usize = 64;

/// Hashes each word to a place of a 64-wide vector: texts that share words are near each other.
#[derive(Debug, Clone, Copy)]
pub struct WordEmbedder;

impl Embedder for WordEmbedder {
    fn profile(&self) -> Option<Profile> {
        Some(Profile {
            provider: "fake".to_owned(),
            model: "words".to_owned(),
            dimensions: DIMENSIONS,
            prefix: "legacy-raw",
        })
    }

    fn embed(&self, _: EmbedRole, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        Box::pin(async move {
            Ok(texts.iter().map(|text| Embedded { vector: vector(text), truncated: false }).collect())
        })
    }

    fn availability(&self) -> Availability {
        Availability::Up
    }

    fn address(&self) -> Option<String> {
        None
    }
}

/// Of length 1; a text without words points at the last place.
fn vector(text: &str) -> Vec<f32> {
    let mut places = vec![0_f32; DIMENSIONS];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // FNV-1a, 64 bits.
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        places[(hash % (DIMENSIONS as u64 - 1)) as usize] += 1.0;
    }
    let length = places.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length == 0.0 {
        places[DIMENSIONS - 1] = 1.0;
        return places;
    }
    places.iter().map(|x| x / length).collect()
}

/// Embeds nothing: what is stored stays without a vector.
#[derive(Debug, Clone, Copy)]
pub struct NoTracker;

impl EmbeddingTracker for NoTracker {
    fn wake(&self) {}

    fn embed_now<'a>(&'a self, _: &'a AgentId, _: &'a MemoryId, _: Duration) -> BoxFuture<'a, bool> {
        Box::pin(async { false })
    }

    fn status(&self) -> TrackerStatus {
        TrackerStatus::default()
    }
}

//! A deterministic embedder for tests: hashed words, no model, no network.
//!
//! Texts that share words have a high cosine, texts that share none have one near zero, so ranking
//! tests mean something. Failures are scripted with [`FakeEmbedder::fail`].

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use signet_model::embed::{Availability, BoxFuture, EmbedError, EmbedRole, Embedded, Embedder, Profile};
use tokio::sync::Semaphore;

/// The scripted double of an embedding provider.
#[derive(Debug)]
pub struct FakeEmbedder {
    profile: Option<Profile>,
    script: Mutex<Script>,
}

#[derive(Debug, Default)]
struct Script {
    failures: VecDeque<EmbedError>,
    outage: Option<EmbedError>,
    calls: Vec<(EmbedRole, Vec<String>)>,
    last: Option<Result<(), String>>,
    gate: Option<Arc<Semaphore>>,
}

impl FakeEmbedder {
    /// An embedder with vectors of this length.
    pub fn new(dimensions: usize) -> Self {
        Self::with_profile(Some(Profile {
            provider: "fake".to_owned(),
            model: "hashed-words".to_owned(),
            dimensions,
            prefix: "legacy-raw",
        }))
    }

    /// An embedder that names another vector space, or none at all (`provider: none`).
    pub fn with_profile(profile: Option<Profile>) -> Self {
        Self { profile, script: Mutex::default() }
    }

    /// The next call fails with `error`; several are used up in order.
    pub fn fail(&self, error: EmbedError) {
        self.script().failures.push_back(error);
    }

    /// Every call fails with `error` until it is set to `None`.
    pub fn outage(&self, error: Option<EmbedError>) {
        self.script().outage = error;
    }

    /// Calls made so far, with their role and texts.
    pub fn calls(&self) -> Vec<(EmbedRole, Vec<String>)> {
        self.script().calls.clone()
    }

    /// Calls from now on wait until [`FakeEmbedder::release`].
    pub fn hold(&self) {
        self.script().gate = Some(Arc::new(Semaphore::new(0)));
    }

    /// Lets every held call and all later ones go on.
    pub fn release(&self) {
        if let Some(gate) = self.script().gate.take() {
            gate.close();
        }
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, role: EmbedRole, texts: Vec<String>) -> Result<Vec<Embedded>, EmbedError> {
        let mut script = self.script();
        let failure = script.failures.pop_front().or_else(|| script.outage.clone());
        let dimensions = self.profile.as_ref().map_or(1, |profile| profile.dimensions);
        let vectors = texts.iter().map(|text| hashed(text, dimensions)).collect();
        script.calls.push((role, texts));
        script.last = Some(failure.as_ref().map_or(Ok(()), |error| Err(error.message.clone())));
        failure.map_or(Ok(vectors), Err)
    }
}

impl Embedder for FakeEmbedder {
    fn profile(&self) -> Option<Profile> {
        self.profile.clone()
    }

    fn embed(&self, role: EmbedRole, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        Box::pin(async move {
            let gate = self.script().gate.clone();
            if let Some(gate) = gate {
                // Nobody hands out permits: the wait ends when the gate is closed.
                drop(gate.acquire().await);
            }
            self.answer(role, texts)
        })
    }

    fn availability(&self) -> Availability {
        match &self.script().last {
            None => Availability::Unknown,
            Some(Ok(())) => Availability::Up,
            Some(Err(message)) => Availability::Down(message.clone()),
        }
    }

    fn address(&self) -> Option<String> {
        None
    }
}

/// The vector of a text: one signed count per hashed word, length 1. Never zero.
pub fn hashed(text: &str, dimensions: usize) -> Embedded {
    let mut vector = vec![0.0_f32; dimensions];
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash = fnv1a(word);
        let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
        vector[(hash % dimensions as u64) as usize] += sign;
    }
    if vector.iter().all(|value| *value == 0.0) {
        vector[0] = 1.0;
    }
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    for value in &mut vector {
        *value /= norm;
    }
    Embedded { vector, truncated: false }
}

/// FNV-1a, 64 bits: stable across platforms and releases, unlike the standard hasher.
fn fnv1a(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use signet_model::embed::EmbedFailure;

    fn cosine(a: &str, b: &str) -> f32 {
        let (a, b) = (hashed(a, 384).vector, hashed(b, 384).vector);
        a.iter().zip(&b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn shared_words_mean_a_high_cosine_and_no_shared_word_a_low_one() {
        assert!((cosine("The red fox", "the RED fox!") - 1.0).abs() < 1e-6);
        assert!(cosine("the red fox sleeps", "the red fox runs") > 0.5);
        assert!(cosine("alpha beta", "gamma delta").abs() < 0.1);
        assert!((cosine("", "...") - 1.0).abs() < 1e-6, "texts without words are not zero");
    }

    #[tokio::test]
    async fn a_scripted_failure_is_used_once_and_shown() {
        let fake = FakeEmbedder::new(3);
        let error = EmbedError { class: EmbedFailure::Provider, message: "down".to_owned() };
        fake.fail(error.clone());
        assert_eq!(fake.availability(), Availability::Unknown);
        assert_eq!(fake.embed(EmbedRole::Query, vec!["a".to_owned()]).await, Err(error));
        assert_eq!(fake.availability(), Availability::Down("down".to_owned()));
        assert_eq!(fake.embed(EmbedRole::Query, vec!["a".to_owned()]).await, Ok(vec![hashed("a", 3)]));
        assert_eq!(fake.availability(), Availability::Up);
        assert_eq!(fake.calls().len(), 2);
    }

    #[tokio::test]
    async fn a_held_embedder_answers_only_after_its_release() {
        let fake = FakeEmbedder::new(3);
        fake.hold();
        let mut call = fake.embed(EmbedRole::Document, vec!["a".to_owned()]);
        let waker = std::task::Waker::noop();
        let mut context = std::task::Context::from_waker(waker);
        assert!(call.as_mut().poll(&mut context).is_pending());
        fake.release();
        assert_eq!(call.await, Ok(vec![hashed("a", 3)]));
    }
}

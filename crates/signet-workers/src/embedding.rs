//! The embedding tracker: gives every live memory its vector, newest first, without ever delaying the
//! acknowledgement of evidence.

mod breaker;
mod cycle;
mod upkeep;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use signet_model::embed::{BoxFuture, Embedder, EmbeddingTracker, TrackerStatus};
use signet_model::{AgentId, Clock, MemoryId};
use signet_store::{Reader, Writer};
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use self::breaker::Breaker;
use self::cycle::Outcome;
use self::upkeep::Upkeep;

/// What the tracker works with.
#[derive(Clone)]
pub struct Handles {
    /// Finds what is due.
    pub reader: Reader,
    /// Stores vectors, on its upkeep lane.
    pub writer: Writer,
    /// Makes vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The tracker ends after the batch in hand.
    pub stop: CancellationToken,
}

impl std::fmt::Debug for Handles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Handles")
    }
}

/// How the tracker works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// `embeddingTracker.enabled`.
    pub enabled: bool,
    /// `embeddingTracker.pollMs`: pause between looks when nothing wakes it.
    pub poll: Duration,
    /// `embeddingTracker.batchSize`: texts of a provider call.
    pub batch: usize,
}

impl Default for Settings {
    /// Five seconds, batches of 8.
    fn default() -> Self {
        Self { enabled: true, poll: Duration::from_secs(5), batch: 8 }
    }
}

/// Texts of a call to a model in this process, where a call costs nothing by itself.
const NATIVE_BATCH: usize = 32;

/// Makes the tracker and its loop. The loop ends when `stop` is cancelled; the caller runs it among the
/// tasks it waits for. A switched-off tracker, or provider, has a loop that only waits for the end.
pub fn start(handles: Handles, settings: Settings) -> (Arc<dyn EmbeddingTracker>, BoxFuture<'static, ()>) {
    let tracker = Arc::new(Tracker::new(handles, settings));
    let looped = Arc::clone(&tracker);
    (tracker, Box::pin(async move { looped.run().await }))
}

/// The tracker, shared by its loop and the surfaces.
struct Tracker {
    handles: Handles,
    settings: Settings,
    wake: Notify,
    /// One call at a time: the loop's, or that of a memory that is embedded at once.
    permit: Semaphore,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    status: TrackerStatus,
    breaker: Breaker,
    batches: u64,
}

impl Tracker {
    fn new(handles: Handles, settings: Settings) -> Self {
        let handles = Handles { writer: handles.writer.upkeep(), ..handles };
        Self { handles, settings, wake: Notify::new(), permit: Semaphore::new(1), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn works(&self) -> bool {
        self.settings.enabled && self.handles.embedder.profile().is_some()
    }

    fn batch(&self) -> usize {
        let native = self.handles.embedder.profile().is_some_and(|profile| profile.provider == "native");
        if native { self.settings.batch.max(NATIVE_BATCH) } else { self.settings.batch.max(1) }
    }

    async fn run(&self) {
        if !self.works() {
            self.handles.stop.cancelled().await;
            return;
        }
        self.state().status.running = true;
        let mut upkeep = Upkeep::new();
        while !self.handles.stop.is_cancelled() {
            let progress = self.cycle().await == Outcome::Progress;
            let upkept = upkeep.step(&self.handles).await;
            if progress || upkept {
                continue;
            }
            tokio::select! {
                () = self.handles.stop.cancelled() => {}
                () = self.wake.notified() => {}
                () = tokio::time::sleep(self.settings.poll) => {}
            }
        }
        self.state().status.running = false;
    }
}

impl EmbeddingTracker for Tracker {
    fn wake(&self) {
        self.wake.notify_one();
    }

    fn embed_now<'a>(
        &'a self,
        agent: &'a AgentId,
        memory: &'a MemoryId,
        patience: Duration,
    ) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let stored = tokio::time::timeout(patience, self.embed_one(agent, memory)).await;
            let stored = stored.unwrap_or(false);
            if !stored {
                self.wake();
            }
            stored
        })
    }

    fn status(&self) -> TrackerStatus {
        self.state().status.clone()
    }
}

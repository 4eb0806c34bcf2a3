//! The background work that fills vectors in.

use std::sync::Arc;
use std::time::Duration;

use signet_model::embed::{BoxFuture, EmbeddingTracker, TrackerStatus};
use signet_model::{AgentId, MemoryId};

/// Starts the tracker of the settings.
pub(super) fn start() -> Arc<dyn EmbeddingTracker> {
    Arc::new(Off)
}

/// No background embedding (`embeddingTracker.enabled: false`): what is stored keeps its place in the queue.
#[derive(Debug)]
struct Off;

impl EmbeddingTracker for Off {
    fn wake(&self) {}

    fn embed_now<'a>(&'a self, _: &'a AgentId, _: &'a MemoryId, _: Duration) -> BoxFuture<'a, bool> {
        Box::pin(async { false })
    }

    fn status(&self) -> TrackerStatus {
        TrackerStatus::default()
    }
}

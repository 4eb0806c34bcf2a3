//! The background work that fills vectors in.

use std::sync::Arc;
use std::time::Duration;

use signet_model::embed::EmbeddingTracker;
use signet_workers::embedding::{self, Handles};
use tokio::task::JoinSet;

use crate::config::Settings;

/// Starts the tracker among the daemon's tasks. Where `embeddingTracker.enabled` or the provider says
/// no, it only waits for the end, and what is stored keeps its place in the queue.
pub(super) fn start(
    settings: &Settings,
    handles: Handles,
    tasks: &mut JoinSet<&'static str>,
) -> Arc<dyn EmbeddingTracker> {
    let wanted = &settings.memory.pipeline_v2.embedding_tracker;
    let settings = embedding::Settings {
        enabled: wanted.enabled,
        poll: Duration::from_millis(wanted.poll_ms),
        batch: wanted.batch_size,
    };
    let (tracker, run) = embedding::start(handles, settings);
    tasks.spawn(async move {
        run.await;
        "embedding tracker"
    });
    tracker
}

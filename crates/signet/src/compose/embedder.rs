//! The embedder and the background work that fills vectors in.

use std::sync::Arc;
use std::time::Duration;

use signet_model::embed::{
    Availability, BoxFuture, EmbedError, EmbedFailure, EmbedRole, Embedded, Embedder, EmbeddingTracker,
    Profile, TrackerStatus,
};
use signet_model::{AgentId, MemoryId};
use signet_server::Life;
use signet_store::Store;
use tokio::task::JoinSet;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::config::Settings;

/// Both, wired.
type Both = (Arc<dyn Embedder>, Arc<dyn EmbeddingTracker>);

/// Builds the embedder of the settings and starts its background work.
pub(super) fn build(
    _settings: &Settings,
    _cx: &Cx,
    _store: &Store,
    _tasks: &mut JoinSet<&'static str>,
    _life: &Life,
) -> Result<Both, Fail> {
    Ok((Arc::new(Off), Arc::new(Off)))
}

/// No embedding at all.
#[derive(Debug)]
struct Off;

impl Embedder for Off {
    fn profile(&self) -> Option<Profile> {
        None
    }

    fn embed(
        &self,
        _role: EmbedRole,
        _texts: Vec<String>,
    ) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        let message = "embedding is switched off".to_owned();
        Box::pin(async move { Err(EmbedError { class: EmbedFailure::Provider, message }) })
    }

    fn availability(&self) -> Availability {
        Availability::Unknown
    }

    fn address(&self) -> Option<String> {
        None
    }
}

impl EmbeddingTracker for Off {
    fn wake(&self) {}

    fn embed_now<'a>(&'a self, _: &'a AgentId, _: &'a MemoryId, _: Duration) -> BoxFuture<'a, bool> {
        Box::pin(async { false })
    }

    fn status(&self) -> TrackerStatus {
        TrackerStatus::default()
    }
}

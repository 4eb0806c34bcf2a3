//! What all requests share.

use std::sync::Arc;

use signet_model::Ids;
use signet_model::embed::{Embedder, EmbeddingTracker};
use signet_store::db::damage::Health;
use signet_store::{Reader, Writer};

pub use crate::auth::principal::Principal;
use crate::config::{ConfigInfo, DaemonInfo, ServerConfig};
use crate::gate::Gate;

/// Shared state of the server. The binary wires it.
pub struct AppState {
    /// Reads.
    pub reader: Reader,
    /// Writes.
    pub writer: Writer,
    /// Soundness of the database file.
    pub health: Health,
    /// Recalls.
    pub recall: signet_recall::Recall,
    /// Embeds queries.
    pub embedder: Arc<dyn Embedder>,
    /// Embeds memories in the background.
    pub tracker: Arc<dyn EmbeddingTracker>,
    /// Time.
    pub clock: Arc<dyn signet_model::Clock>,
    /// Ids of requests.
    pub ids: Ids,
    /// Facts about the daemon.
    pub info: DaemonInfo,
    /// Rules of the surface.
    pub config: ServerConfig,
    /// What the middleware holds in memory.
    pub gate: Gate,
}

impl AppState {
    /// The configuration file as it was last read.
    pub fn config_info(&self) -> ConfigInfo {
        self.gate.live.rules().file.clone().unwrap_or_else(|| self.info.config.clone())
    }
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AppState")
    }
}

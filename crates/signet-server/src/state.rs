//! What all requests share.

use std::sync::Arc;

use signet_model::embed::{Embedder, EmbeddingTracker};
use signet_model::{Clock, Permission, Role};
use signet_store::{Reader, Writer};

/// Shared state of the server. The binary wires it.
pub struct AppState {
    /// Reads.
    pub reader: Reader,
    /// Writes.
    pub writer: Writer,
    /// Embeds queries.
    pub embedder: Arc<dyn Embedder>,
    /// Embeds memories in the background.
    pub tracker: Arc<dyn EmbeddingTracker>,
    /// Time.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AppState")
    }
}

/// Who called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Token subject, `api-key:<id>`, or `local:<os user>`.
    pub subject: String,
    /// Role.
    pub role: Role,
    /// Explicit list that narrows the role.
    pub permissions: Option<Vec<Permission>>,
    /// A loopback caller without credential in local or hybrid mode.
    pub trusted_local: bool,
}

impl Principal {
    /// Whether role and explicit list both hold the permission.
    pub fn allows(&self, permission: Permission) -> bool {
        self.role.allows(permission)
            && self.permissions.as_ref().is_none_or(|list| list.contains(&permission))
    }
}

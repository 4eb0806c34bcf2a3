//! What a reload of the configuration may change while the daemon runs.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use signet_model::memory::Guardrails;

use crate::config::{ConfigInfo, ServerConfig, Window};
use crate::route::Rate;

/// Lists, limits and the state of the file.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Host names served beside `localhost` and IP literals.
    pub allowed_hosts: Vec<String>,
    /// Origins allowed beside the server's own.
    pub allowed_origins: Vec<String>,
    /// Windows that differ from the usual ones.
    pub rate_limits: HashMap<Rate, Window>,
    /// Sizes of one memory.
    pub guardrails: Guardrails,
    /// Kill switch: every change of memories is refused.
    pub mutations_frozen: bool,
    /// The file as it was last read; `None` = as at the start.
    pub file: Option<ConfigInfo>,
    /// The file has changes that count from the next start.
    pub pending_restart: bool,
}

impl Rules {
    /// The rules of the start.
    pub fn of(config: &ServerConfig) -> Self {
        Self {
            allowed_hosts: config.allowed_hosts.clone(),
            allowed_origins: config.allowed_origins.clone(),
            rate_limits: config.rate_limits.clone(),
            guardrails: config.guardrails,
            mutations_frozen: config.mutations_frozen,
            file: None,
            pending_restart: false,
        }
    }
}

/// The rules in force. A request keeps those it began with.
#[derive(Debug, Default)]
pub struct Live {
    rules: RwLock<Arc<Rules>>,
}

impl Live {
    /// Begins with these rules.
    pub fn new(rules: Rules) -> Self {
        Self { rules: RwLock::new(Arc::new(rules)) }
    }

    /// The rules now.
    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on these rules hold.
    pub fn set(&self, rules: Rules) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rules);
    }
}

//! The configuration read again: on SIGHUP, and when the file has changed and settled.
//!
//! A bad file changes nothing: the last good settings stay, and the error is told in log and status.
//! A good one changes the host list, the origin list and the rate limits at once; every other key counts
//! from the next start.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use signet_server::AppState;
use signet_server::config::ConfigInfo;
use signet_server::live::Rules;
use tokio_util::sync::CancellationToken;

use crate::cli::cx;
use crate::config::{self, Loaded, check, idle};
use crate::env::Env;

/// What counts at once.
const LIVE: [&str; 6] = [
    "network.allowedHosts",
    "network.allowedOrigins",
    "auth.rateLimits.",
    "memory.pipelineV2.mutationsFrozen",
    "memory.pipelineV2.guardrails.maxContentChars",
    "memory.pipelineV2.guardrails.chunkTargetChars",
];

/// Pause between two looks at the file. A change counts once two looks see the same.
const LOOK: Duration = Duration::from_millis(500);

/// Reads the configuration again.
#[derive(Debug, Clone)]
pub(crate) struct Reload {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    workspace: PathBuf,
    env: Env,
    state: Arc<AppState>,
    /// What the daemon started with: restart-only keys are compared with it.
    started: Loaded,
    reading: Mutex<()>,
}

/// What the file looks like from outside.
type Stamp = Option<(PathBuf, SystemTime, u64)>;

impl Reload {
    /// A reload for a daemon that started with this configuration.
    pub(crate) fn new(workspace: PathBuf, env: Env, started: &Loaded, state: Arc<AppState>) -> Self {
        let started = started.clone();
        Self { inner: Arc::new(Inner { workspace, env, state, started, reading: Mutex::new(()) }) }
    }

    /// Reads and checks the file now.
    pub(crate) fn run(&self) {
        let _one_at_a_time = self.inner.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = config::load(&self.inner.workspace, &self.inner.env);
        let errors: Vec<String> = loaded.errors().map(|issue| loaded.describe(issue)).collect();
        let live = &self.inner.state.gate.live;
        let path = loaded.file.clone().unwrap_or_else(|| self.inner.workspace.join("agent.yaml"));
        let present = live.rules();
        let Some(settings) = loaded.settings.as_ref().filter(|_| errors.is_empty()) else {
            tracing::error!("the configuration is bad and the running one stays: {}", errors.join("; "));
            let loaded_at = self.inner.state.config_info().loaded_at;
            live.set(Rules { file: Some(ConfigInfo { path, loaded_at, errors }), ..(*present).clone() });
            return;
        };
        let waiting = changed(&self.inner.started, &loaded);
        if waiting.is_empty() {
            tracing::info!("the configuration was read again");
        } else {
            tracing::info!(
                "the configuration changed; these keys count from the next start: {}",
                waiting.join(", ")
            );
        }
        let file = ConfigInfo { path, loaded_at: cx::now(), errors };
        let rules = Rules::of(&super::server::config(settings));
        live.set(Rules { file: Some(file), pending_restart: !waiting.is_empty(), ..rules });
    }

    /// Watches the file until the daemon ends.
    pub(crate) async fn watch(self, end: CancellationToken) -> &'static str {
        let mut known = self.stamp();
        let mut seen = known.clone();
        loop {
            tokio::select! {
                () = end.cancelled() => return "configuration watch",
                () = tokio::time::sleep(LOOK) => {}
            }
            let now = self.stamp();
            if now == seen && now != known {
                self.run();
                known.clone_from(&now);
            }
            seen = now;
        }
    }

    fn stamp(&self) -> Stamp {
        let path = config::load::find(&self.inner.workspace)?;
        // A link that leads nowhere is a change too.
        let metadata = std::fs::metadata(&path).or_else(|_| std::fs::symlink_metadata(&path)).ok()?;
        Some((path, metadata.modified().ok()?, metadata.len()))
    }
}

/// Keys with an effect whose value differs from that of the start and that need a new start.
fn changed(started: &Loaded, after: &Loaded) -> Vec<String> {
    let value = |loaded: &Loaded, path: &str| {
        loaded.values.get(path).map_or(Value::Null, |entry| entry.value.clone())
    };
    let paths: BTreeSet<&String> = started.values.keys().chain(after.values.keys()).collect();
    let differing = paths.into_iter().filter(|path| value(started, path) != value(after, path));
    let waiting =
        differing.filter(|path| !idle::is_idle(path) && !LIVE.iter().any(|live| path.starts_with(live)));
    waiting.map(|path| path.replace(check::DOT, ".")).collect()
}

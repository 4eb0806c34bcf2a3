//! The configuration read again: on SIGHUP, and when the file has changed and settled.
//!
//! A bad file changes nothing: the last good settings stay, and the error is told.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::config::{self, Loaded, check};
use crate::env::Env;

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
    running: Mutex<Loaded>,
}

/// What the file looks like from outside.
type Stamp = Option<(PathBuf, SystemTime, u64)>;

impl Reload {
    /// A reload that compares with what runs.
    pub(crate) fn new(workspace: PathBuf, env: Env, running: &Loaded) -> Self {
        let running = Mutex::new(running.clone());
        Self { inner: Arc::new(Inner { workspace, env, running }) }
    }

    /// Reads and checks the file now.
    pub(crate) fn run(&self) {
        let loaded = config::load(&self.inner.workspace, &self.inner.env);
        let mut running = self.inner.running.lock().unwrap_or_else(PoisonError::into_inner);
        let errors: Vec<String> = loaded.errors().map(|issue| loaded.describe(issue)).collect();
        if errors.is_empty() {
            let changed = changed(&running, &loaded);
            if !changed.is_empty() {
                tracing::info!(
                    "the configuration changed; these keys count from the next start: {}",
                    changed.join(", ")
                );
            }
            *running = loaded;
        } else {
            tracing::error!("the configuration is bad and the running one stays: {}", errors.join("; "));
        }
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
        let metadata = std::fs::metadata(&path).ok()?;
        Some((path, metadata.modified().ok()?, metadata.len()))
    }
}

/// Keys whose effective value differs.
fn changed(before: &Loaded, after: &Loaded) -> Vec<String> {
    let value = |loaded: &Loaded, path: &str| {
        loaded.values.get(path).map_or(Value::Null, |entry| entry.value.clone())
    };
    let paths: std::collections::BTreeSet<&String> =
        before.values.keys().chain(after.values.keys()).collect();
    let differing = paths.into_iter().filter(|path| value(before, path) != value(after, path));
    differing.map(|path| path.replace(check::DOT, ".")).collect()
}

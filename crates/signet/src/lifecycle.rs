//! The daemon's life: configuration, lock, log, sockets, service, and an end in steps.
//!
//! Soft: no new work, running requests end. After ten seconds, or at a second signal: hard.
//! Whatever is acknowledged by then is committed already.

use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::cli::cx::{self, Cx};
use crate::cli::fail::Fail;
use crate::cli::{offline, when};
use crate::compose::{self, Composed, Parts};
use crate::config::{self, Loaded, Settings};
use crate::listen;
use crate::logging::{self, LogFile, LogOptions};
use crate::workspace::Workspace;
use signet_store::db::lock::Holder;
use signet_store::{OpenOptions, Store, StoreError};

/// How long running requests may take at the end.
const GRACE: Duration = Duration::from_secs(10);

/// Where the log goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notes {
    /// The file.
    FileOnly,
    /// The file and standard error.
    FileAndStderr,
}

/// How the daemon was asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Running requests ended.
    Soft,
    /// They were dropped.
    Hard,
}

/// Runs the daemon. A workspace that is held already is no failure: the holder is named, exit 0.
pub(crate) fn run(cx: &Cx, notes: Notes) -> Result<(), Fail> {
    let workspace = cx.workspace()?;
    let loaded = config::load(&workspace.root, &cx.env);
    refuse(&loaded)?;
    let Some(settings) = loaded.settings.clone() else { return Err(Fail::local("no settings")) };
    let log_options = log_options(cx, workspace, &settings, notes);
    let log = logging::install(&log_options).map_err(Fail::usage)?;
    let store = match Store::open(&OpenOptions::new(&workspace.root, cx::ids())) {
        Ok(store) => store,
        Err(StoreError::Locked(holder)) => return cx.out.line(&running_already(&holder)),
        Err(error) => return Err(offline::explain(error)),
    };
    open_log(&log, &log_options)?;
    tell(&loaded, &store);
    let outcome = with_store(cx, settings, loaded, &store, &log_options);
    if let Err(fail) = &outcome {
        tracing::error!("the daemon ends: {}", fail.text("error").unwrap_or("failure"));
    }
    store.close().map_err(offline::explain)?;
    tracing::info!("stopped");
    outcome
}

/// One line about the daemon that holds the workspace.
fn running_already(holder: &Holder) -> String {
    let pid = holder.pid.map_or("a process that is just starting".to_owned(), |pid| format!("process {pid}"));
    let url = holder.url.as_deref().map(|url| format!(" at {url}")).unwrap_or_default();
    let since =
        holder.started_at.as_deref().map(|at| format!(", since {}", when::local(at))).unwrap_or_default();
    format!("signet already runs: {pid}{url}{since}")
}

/// Exit 2 with every refusal of the configuration; nothing is opened or written.
pub(crate) fn refuse(loaded: &Loaded) -> Result<(), Fail> {
    let lines: Vec<String> = loaded.errors().map(|issue| loaded.describe(issue)).collect();
    match lines.len() {
        0 => Ok(()),
        1 => Err(Fail::usage(lines.concat()).hint("signet config check")),
        count => {
            Err(Fail::usage(format!("{count} problems of the configuration:\n  {}", lines.join("\n  ")))
                .hint("signet config check"))
        }
    }
}

fn log_options(cx: &Cx, workspace: &Workspace, settings: &Settings, notes: Notes) -> LogOptions {
    let folder = workspace.root.join(&settings.logging.dir);
    LogOptions {
        level: settings.logging.level.clone(),
        filter: cx.env.get("SIGNET_LOG").map(str::to_owned),
        stderr: notes == Notes::FileAndStderr,
        file: cx
            .env
            .get("SIGNET_LOG_FILE")
            .map_or_else(|| folder.join("signet.log"), std::path::PathBuf::from),
        max_bytes: settings.logging.max_file_mib * 1_048_576,
        max_files: settings.logging.max_files,
    }
}

fn open_log(log: &LogFile, options: &LogOptions) -> Result<(), Fail> {
    log.open().map_err(|error| Fail::local(format!("{}: {error}", options.file.display())))
}

fn tell(loaded: &Loaded, store: &Store) {
    for issue in loaded.issues.iter().filter(|issue| !issue.is_error()) {
        tracing::warn!("configuration: {}", loaded.describe(issue));
    }
    let report = store.report();
    for path in &report.tightened {
        tracing::warn!("the rights of {} were too wide and are tightened", path.display());
    }
    for warning in &report.warnings {
        tracing::warn!("{warning}");
    }
    for copy in &report.conflict_copies {
        tracing::warn!("conflict copy left alone: {}", copy.display());
    }
}

fn with_store(
    cx: &Cx,
    settings: Settings,
    loaded: Loaded,
    store: &Store,
    log: &LogOptions,
) -> Result<(), Fail> {
    let workspace = cx.workspace()?;
    drop(std::fs::remove_file(workspace.stopped_marker()));
    let bound = listen::bind(&settings.network)?;
    let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name("signet-worker")
        .enable_all()
        .build()
        .map_err(|error| Fail::local(format!("the runtime does not start: {error}")))?;
    let outcome = runtime.block_on(async {
        let url = bound.url();
        let parts = Parts { cx, settings, loaded, store, log, bound };
        let composed = compose::compose(parts).await?;
        // Whoever reads the address may send a signal at once.
        let signals = Signals::listen()?;
        store.announce(&url).map_err(offline::explain)?;
        tracing::info!(%url, workspace = %workspace.root.display(), "ready");
        until_the_end(composed, signals).await
    });
    runtime.shutdown_timeout(Duration::from_millis(500));
    match outcome? {
        End::Soft => {}
        End::Hard => tracing::warn!("stopped hard: what still ran was dropped"),
    }
    Ok(())
}

/// The signals that the daemon obeys.
#[derive(Debug)]
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl Signals {
    /// From here on they no longer end the process by themselves.
    fn listen() -> Result<Self, Fail> {
        Ok(Self {
            terminate: on(SignalKind::terminate())?,
            interrupt: on(SignalKind::interrupt())?,
            hangup: on(SignalKind::hangup())?,
        })
    }
}

/// Serves until a signal, the end of a task that must not end, or a second signal.
async fn until_the_end(composed: Composed, signals: Signals) -> Result<End, Fail> {
    let Signals { mut terminate, mut interrupt, mut hangup } = signals;
    let Composed { state, listeners, mut tasks, reload } = composed;
    let life = state.gate.life.clone();
    let serving = signet_server::serve(state, listeners, GRACE);
    tokio::pin!(serving);
    let mut asked = false;
    let mut dead = None;
    loop {
        tokio::select! {
            served = &mut serving => {
                tasks.shutdown().await;
                served.map_err(|error| Fail::local(format!("the server: {error}")))?;
                return dead.map_or(Ok(End::Soft), Err);
            }
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {
                reload.run();
                continue;
            }
            Some(ended) = tasks.join_next(), if !asked => {
                let name = ended.map_or_else(|lost| lost.to_string(), str::to_owned);
                dead = Some(Fail::local(format!("a task of the daemon ended: {name}")));
            }
        }
        if asked {
            life.hard.cancel();
            return dead.map_or(Ok(End::Hard), Err);
        }
        asked = true;
        tracing::info!("stopping: running requests end first");
        life.soft.cancel();
    }
}

fn on(kind: SignalKind) -> Result<Signal, Fail> {
    signal(kind).map_err(|error| Fail::local(format!("signals: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;
    use crate::env::Env;

    #[test]
    fn every_problem_is_in_the_refusal() {
        let refusal = |text: &str| refuse(&load::from_text(text.as_bytes(), &Env::default()));
        assert_eq!(refusal("search:\n  alpha: 0.5\n"), Ok(()));
        let one = refusal("search:\n  alpha: 5\n").unwrap_err();
        assert_eq!(
            (one.exit, one.text("error")),
            (2, Some("2:10: `search.alpha` must be in the range 0 to 1, not 5"))
        );
        let two = refusal("search:\n  alpha: 5\n  top_k: 0\n").unwrap_err();
        assert!(
            two.text("error").unwrap().starts_with("2 problems of the configuration:\n  2:10: "),
            "{two:?}"
        );
    }

    #[test]
    fn a_holder_is_one_line_however_little_is_known() {
        let full = Holder {
            pid: Some(7),
            url: Some("http://127.0.0.1:1".to_owned()),
            started_at: Some("2026-03-04T13:05:00.000Z".to_owned()),
        };
        assert!(
            running_already(&full)
                .starts_with("signet already runs: process 7 at http://127.0.0.1:1, since 2026-03-04 ")
        );
        assert_eq!(
            running_already(&Holder::default()),
            "signet already runs: a process that is just starting"
        );
    }
}

//! The composition root: settings in, a wired daemon out. The only place that knows every crate.

mod embedder;
mod recall;
mod reload;
mod server;
mod tracker;

use std::sync::Arc;

use signet_model::{Clock, SystemClock};
use signet_server::auth::token::Secret;
use signet_server::{AppState, Gate};
use signet_store::Store;
use signet_store::control::secret;
use signet_workers::embedding::Handles;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::cli::cx::{self, Cx};
use crate::cli::fail::Fail;
use crate::cli::offline;
use crate::config::{Loaded, Settings};
use crate::listen::Bound;
use crate::logging::LogOptions;

pub(crate) use reload::Reload;

/// What the daemon is made of.
#[derive(Debug)]
pub(crate) struct Parts<'p> {
    /// Flags, environment, workspace.
    pub(crate) cx: &'p Cx,
    /// Settings.
    pub(crate) settings: Settings,
    /// Where they came from.
    pub(crate) loaded: Loaded,
    /// The opened store.
    pub(crate) store: &'p Store,
    /// The log.
    pub(crate) log: &'p LogOptions,
    /// Sockets.
    pub(crate) bound: Bound,
}

/// A wired daemon.
#[derive(Debug)]
pub(crate) struct Composed {
    /// Shared by all requests.
    pub(crate) state: Arc<AppState>,
    /// Sockets.
    pub(crate) listeners: Vec<TcpListener>,
    /// Tasks that must not end before the daemon does, by name.
    pub(crate) tasks: JoinSet<&'static str>,
    /// Reads the configuration again.
    pub(crate) reload: Reload,
}

/// Wires store, embedder, background work and server.
pub(crate) async fn compose(parts: Parts<'_>) -> Result<Composed, Fail> {
    let Parts { cx, settings, loaded, store, log, bound } = parts;
    let workspace = cx.workspace()?;
    // A secret must never be made of a source that fails; this is the only place where it would matter.
    getrandom::fill(&mut [0_u8; 1]).map_err(|error| Fail::local(format!("no randomness: {error}")))?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ids = cx::ids();
    let config = server::config(&settings);
    let (bytes, found) = secret::load_or_make(&workspace.root, &cx::random).map_err(offline::explain)?;
    if found == secret::Found::Tightened {
        tracing::warn!("the signing secret could be read by others until now; `signet token` makes new ones");
    }
    let gate = Gate::open(&config, Secret::new(bytes), &store.reader(), &workspace.root, clock.now()).await?;
    let mut tasks = JoinSet::new();
    let life = gate.life.clone();
    let embedder = embedder::build(&settings, cx)?;
    let handles = Handles {
        reader: store.reader(),
        writer: store.writer(),
        embedder: Arc::clone(&embedder),
        clock: Arc::clone(&clock),
        stop: life.soft.clone(),
    };
    let tracker = tracker::start(&settings, handles, &mut tasks);
    let sweep = signet_workers::retention::run(store.reader(), store.writer(), life.soft.clone());
    tasks.spawn(async move {
        sweep.await;
        "retention sweep"
    });
    let renewal = signet_workers::search_forms::run(store.reader(), store.writer(), life.soft.clone());
    tasks.spawn(async move {
        renewal.await;
        "renewal of search forms"
    });
    let info = server::info(cx, &settings, &loaded, store, log, &bound)?;
    let recall = signet_recall::Recall::new(
        store.reader(),
        Arc::clone(&embedder),
        Arc::clone(&clock),
        recall::settings(&settings),
    );
    let state = Arc::new(AppState {
        recall,
        reader: store.reader(),
        writer: store.writer(),
        health: store.health(),
        embedder,
        tracker,
        clock,
        ids,
        info,
        config,
        gate,
    });
    let reload = Reload::new(workspace.root.clone(), cx.env.clone(), &loaded, Arc::clone(&state));
    tasks.spawn(reload.clone().watch(life.soft));
    let listeners = bound.listeners.into_iter().map(TcpListener::from_std).collect::<Result<Vec<_>, _>>();
    let listeners = listeners.map_err(|error| Fail::local(format!("sockets: {error}")))?;
    Ok(Composed { state, listeners, tasks, reload })
}

//! Test support: the whole HTTP surface in process over a real store in a temporary folder.
//!
//! Behind the feature `testing`; no part of the daemon. No socket is opened: requests go through the
//! same service that the listeners feed.
#![expect(clippy::expect_used, clippy::missing_panics_doc, reason = "test support: a panic is a failed test")]

pub mod call;
pub mod double;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router as AxumRouter;
use signet_model::embed::{Embedder, EmbeddingTracker};
use signet_model::{Clock as _, Role};
use signet_store::control::credential::CredentialScope;
use signet_store::testing::TestStore;

pub use call::{Answer, Call};
pub use double::{NoTracker, WordEmbedder};

use crate::auth::token::{Claims, Secret, sign};
use crate::config::{ConfigInfo, DaemonInfo, LogInfo, ServerConfig, WorkspaceInfo};
use crate::route::Route;
use crate::{AppState, Gate};

/// What a test may choose; the default is a daemon in local mode with every route.
pub struct Setup {
    /// Rules of the surface.
    pub config: ServerConfig,
    /// Embeds queries.
    pub embedder: Arc<dyn Embedder>,
    /// Embeds memories.
    pub tracker: Arc<dyn EmbeddingTracker>,
    /// The routes.
    pub table: Vec<Route>,
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Default for Setup {
    fn default() -> Self {
        let config =
            ServerConfig { failed_credential_delay: std::time::Duration::ZERO, ..ServerConfig::default() };
        Self {
            config,
            embedder: Arc::new(WordEmbedder),
            tracker: Arc::new(NoTracker),
            table: crate::http::table(),
        }
    }
}

/// A server without sockets. Callers are at 127.0.0.1 unless a call says otherwise.
#[derive(Debug)]
pub struct TestServer {
    /// The store behind it, with its clock.
    pub store: TestStore,
    /// The state that handlers see.
    pub state: Arc<AppState>,
    app: AxumRouter,
}

impl TestServer {
    /// A server with the default setup.
    pub async fn start() -> Self {
        Self::with(Setup::default()).await
    }

    /// A server with this setup.
    pub async fn with(setup: Setup) -> Self {
        Self::over(TestStore::new(), setup).await
    }

    /// Stops and starts again over the same files, with every route.
    pub async fn restart(self) -> Self {
        let Self { mut store, state, app } = self;
        let setup = Setup {
            config: state.config.clone(),
            embedder: Arc::clone(&state.embedder),
            tracker: Arc::clone(&state.tracker),
            table: crate::http::table(),
        };
        drop((app, state));
        store.reopen();
        Self::over(store, setup).await
    }

    /// Waits for what runs beside the requests, such as notes of use.
    pub async fn settle(&self) {
        let tasks = &self.state.gate.life.tasks;
        tasks.close();
        tasks.wait().await;
        tasks.reopen();
    }

    async fn over(store: TestStore, setup: Setup) -> Self {
        let now = store.clock.now();
        let secret = Secret::new([42; 32]);
        let gate = Gate::open(&setup.config, secret, &store.reader(), store.workspace(), now)
            .await
            .expect("the gate opens");
        let recall = signet_recall::Recall::new(
            store.reader(),
            Arc::clone(&setup.embedder),
            Arc::new(store.clock.clone()),
            signet_recall::Settings::default(),
        );
        let state = Arc::new(AppState {
            reader: store.reader(),
            writer: store.writer(),
            health: store.store().health(),
            recall,
            embedder: setup.embedder,
            tracker: setup.tracker,
            clock: Arc::new(store.clock.clone()),
            ids: store.ids(),
            info: info(&store),
            config: setup.config,
            gate,
        });
        let app = crate::serve::app(Arc::clone(&state), setup.table);
        Self { store, state, app }
    }

    /// GET.
    pub fn get(&self, path: &str) -> Call<'_> {
        self.call("GET", path)
    }

    /// POST.
    pub fn post(&self, path: &str) -> Call<'_> {
        self.call("POST", path)
    }

    /// PATCH.
    pub fn patch(&self, path: &str) -> Call<'_> {
        self.call("PATCH", path)
    }

    /// DELETE.
    pub fn delete(&self, path: &str) -> Call<'_> {
        self.call("DELETE", path)
    }

    /// Any method.
    pub fn call(&self, method: &str, path: &str) -> Call<'_> {
        Call::new(&self.app, method, path)
    }

    /// A token of this role and scope that is good for an hour, without a row.
    pub fn token(&self, role: Role, scope: CredentialScope) -> String {
        let now = self.store.clock.now().millis() / 1000;
        let claims = Claims {
            sub: format!("token:{}", role.as_str()),
            name: None,
            scope,
            role: role.as_str().to_owned(),
            permissions: None,
            iat: Some(now),
            exp: Some(now + 3600),
            jti: None,
        };
        self.sign(&claims)
    }

    /// Signs any claims with the secret of this server.
    pub fn sign(&self, claims: &Claims) -> String {
        sign(&self.state.gate.secret, claims).expect("signed")
    }
}

/// The peer of a caller on the same machine.
pub fn loopback() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 50_000))
}

/// The peer of a caller from elsewhere.
pub fn remote() -> SocketAddr {
    SocketAddr::from(([203, 0, 113, 9], 50_000))
}

fn info(store: &TestStore) -> DaemonInfo {
    let now = store.clock.now();
    DaemonInfo {
        version: "0.0.0-test".to_owned(),
        pid: 4711,
        started_at: now,
        bind: vec![std::net::IpAddr::from([127, 0, 0, 1])],
        port: 3850,
        network_mode: "localhost".to_owned(),
        os_user: "tester".to_owned(),
        zone: jiff::tz::TimeZone::UTC,
        config: ConfigInfo { path: store.workspace().join("agent.yaml"), loaded_at: now, errors: Vec::new() },
        workspace: WorkspaceInfo { source: "flag", report: store.store().report().clone() },
        log: LogInfo::default(),
    }
}

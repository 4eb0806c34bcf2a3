//! What the middleware holds in memory: credentials, windows, rooms, refusals, the life of the server.

use std::path::Path;

use signet_model::{Error, Timestamp};
use signet_store::Reader;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth::denials::Denials;
use crate::auth::handoff::Handoffs;
use crate::auth::registry::Registry;
use crate::auth::token::Secret;
use crate::config::ServerConfig;
use crate::live::{Live, Rules};
use crate::middleware::admission::Rooms;
use crate::middleware::idempotency::InFlight;
use crate::middleware::latency::Latency;
use crate::middleware::rate::Windows;
use crate::middleware::unknown::Unknown;
use crate::probe::Probe;

/// Memory of the middleware. One per server.
#[derive(Debug)]
pub struct Gate {
    pub(crate) secret: Secret,
    pub(crate) registry: Registry,
    pub(crate) handoffs: Handoffs,
    pub(crate) windows: Windows,
    pub(crate) rooms: Rooms,
    pub(crate) in_flight: InFlight,
    pub(crate) denials: Denials,
    pub(crate) latency: Latency,
    pub(crate) probe: Probe,
    pub(crate) unknown: Unknown,
    /// What a reload may change.
    pub live: Live,
    /// Ends the server step by step.
    pub life: Life,
}

/// How the server ends: first no new work, then what still runs is dropped.
#[derive(Debug, Clone, Default)]
pub struct Life {
    /// Cancelled when the server shall take no new work.
    pub soft: CancellationToken,
    /// Cancelled when the time for running work is over.
    pub hard: CancellationToken,
    /// Writes that outlive the connection of their client.
    pub tasks: TaskTracker,
}

impl Gate {
    /// Reads keys and revocations, and starts empty otherwise. Refusals are noted in the workspace's
    /// audit file.
    pub async fn open(
        config: &ServerConfig,
        secret: Secret,
        reader: &Reader,
        workspace: &Path,
        now: Timestamp,
    ) -> Result<Self, Error> {
        Ok(Self {
            secret,
            registry: Registry::load(reader, now).await?,
            handoffs: Handoffs::default(),
            windows: Windows::default(),
            rooms: Rooms::new(&config.admission),
            in_flight: InFlight::default(),
            denials: Denials::new(signet_store::control::denials::path(workspace)),
            latency: Latency::default(),
            probe: Probe::default(),
            unknown: Unknown::default(),
            live: Live::new(Rules::of(config)),
            life: Life::default(),
        })
    }
}

//! What the binary tells the server: plain values, read from flags, environment and file by others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use signet_model::Timestamp;
use signet_model::memory::Guardrails;
use signet_store::db::workspace::WorkspaceReport;

use crate::route::{Admission, Rate};

/// Who needs a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The person at the machine is trusted; the daemon listens on loopback only.
    Local,
    /// Everybody needs a credential.
    Team,
    /// Callers from the machine itself are trusted, all others need a credential.
    Hybrid,
}

impl Mode {
    /// The word of the mode.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Team => "team",
            Self::Hybrid => "hybrid",
        }
    }

    /// The mode of a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Local, Self::Team, Self::Hybrid].into_iter().find(|mode| mode.as_str() == word)
    }
}

/// Rules of the surface. Lists and limits may change at a reload, the rest at a restart.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Who needs a credential.
    pub mode: Mode,
    /// Whether hybrid mode trusts callers from the machine itself.
    pub trust_loopback: bool,
    /// Host names served beside `localhost` and IP literals; lower case, exact.
    pub allowed_hosts: Vec<String>,
    /// Origins allowed beside the server's own, such as `https://notes.example`.
    pub allowed_origins: Vec<String>,
    /// Life of a token that names none, in seconds.
    pub token_ttl_seconds: i64,
    /// Life of a session token, in seconds.
    pub session_ttl_seconds: i64,
    /// Windows that differ from the usual ones of `middleware/rate.rs`.
    pub rate_limits: HashMap<Rate, Window>,
    /// Classes that differ from the usual ones of `middleware/admission.rs`.
    pub admission: HashMap<Admission, Room>,
    /// How long one request may take.
    pub deadline: Duration,
    /// How long a 401 waits once a peer has failed too often.
    pub failed_credential_delay: Duration,
    /// Sizes of one memory.
    pub guardrails: Guardrails,
    /// Kill switch: every change of memories is refused.
    pub mutations_frozen: bool,
}

/// A fixed window of the rate limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Length in milliseconds.
    pub window_ms: i64,
    /// Calls in one window.
    pub max: u32,
}

/// How many requests of a class run and wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// At once.
    pub running: usize,
    /// In the queue.
    pub waiting: usize,
    /// Longest wait.
    pub patience: Duration,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            mode: Mode::Local,
            trust_loopback: true,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            token_ttl_seconds: 604_800,
            session_ttl_seconds: 86_400,
            rate_limits: HashMap::new(),
            admission: HashMap::new(),
            deadline: Duration::from_secs(30),
            failed_credential_delay: Duration::from_secs(1),
            guardrails: Guardrails::default(),
            mutations_frozen: false,
        }
    }
}

/// What is known about the running daemon.
#[derive(Debug, Clone)]
pub struct DaemonInfo {
    /// Version of the binary.
    pub version: String,
    /// Process id.
    pub pid: u32,
    /// Start of the process.
    pub started_at: Timestamp,
    /// Addresses listened on.
    pub bind: Vec<IpAddr>,
    /// Port listened on.
    pub port: u16,
    /// `localhost` or `tailscale`.
    pub network_mode: String,
    /// User of the operating system that runs the daemon.
    pub os_user: String,
    /// Zone for times without one when the caller names none.
    pub zone: jiff::tz::TimeZone,
    /// The workspace.
    pub workspace: WorkspaceInfo,
    /// The configuration file.
    pub config: ConfigInfo,
    /// Log files.
    pub log: LogInfo,
}

/// The workspace folder and how it was found.
#[derive(Debug, Clone)]
pub struct WorkspaceInfo {
    /// `flag`, `SIGNET_WORKSPACE`, `SIGNET_PATH` or `default`.
    pub source: &'static str,
    /// What the store found when it was opened.
    pub report: WorkspaceReport,
}

/// State of the configuration file.
#[derive(Debug, Clone)]
pub struct ConfigInfo {
    /// File.
    pub path: PathBuf,
    /// When the running configuration was read.
    pub loaded_at: Timestamp,
    /// Faults of the file as it stands; empty = it is the one that runs.
    pub errors: Vec<String>,
}

/// Where the daemon logs.
#[derive(Debug, Clone, Default)]
pub struct LogInfo {
    /// Folder.
    pub folder: Option<PathBuf>,
    /// Current file.
    pub file: Option<PathBuf>,
}

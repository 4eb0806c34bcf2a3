//! GET /api/status

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_model::embed::Availability;
use signet_store::db::migrate::MIGRATIONS;
use signet_store::derived::work::gaps;

use super::report::uptime;
use super::resources::{Resources, resources};
use super::verdict::judge;
use crate::AppState;
use crate::cx::{Cx, Reply};

/// State of the daemon.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatusAnswer {
    /// `healthy`, `degraded` or `shutting_down`.
    status: &'static str,
    /// Version of the binary.
    version: String,
    /// Number of the newest migration.
    schema_version: i64,
    /// Process id.
    pid: u32,
    /// Seconds since start.
    uptime: i64,
    /// Start of the process.
    started_at: String,
    /// Port listened on.
    port: u16,
    /// Address to reach the daemon at from this machine.
    host: String,
    /// Addresses listened on.
    bind_host: String,
    /// `localhost` or `tailscale`.
    network_mode: String,
    /// `local`, `team` or `hybrid`.
    auth_mode: &'static str,
    /// Workspace folder.
    agents_dir: String,
    /// Agent of this request.
    agent_id: String,
    /// The database answers reads.
    memory_db: bool,
    /// Always `rust`.
    runtime: &'static str,
    /// Judgement as a number.
    health: Score,
    /// Memory.
    resources: Resources,
    /// Background work.
    pipeline: Pipeline,
    /// Embedding of this agent's memories.
    embedding: Embedding,
    /// The configuration file.
    config: Config,
    /// Log files.
    logging: Logging,
    /// What is not as it should be, the gravest first.
    reasons: Vec<String>,
}

/// 1 healthy, 0.5 degraded, 0 when requests cannot be served.
#[derive(Debug, Serialize, JsonSchema)]
struct Score {
    score: f64,
    status: &'static str,
}

/// Background work.
#[derive(Debug, Serialize, JsonSchema)]
struct Pipeline {
    workers: Workers,
}

/// The workers there are.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Workers {
    embedding_tracker: Worker,
}

/// One worker.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Worker {
    /// Its loop runs.
    running: bool,
    /// End of its last cycle.
    last_run_at: Option<String>,
    /// Its last failure.
    last_error: Option<String>,
}

/// Provider and coverage.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Embedding {
    /// Name; null when embedding is off.
    provider: Option<String>,
    /// Model.
    model: Option<String>,
    /// Length of a vector.
    dimensions: Option<usize>,
    /// true, false, or `unknown` before the first call.
    available: serde_json::Value,
    /// Why it is not available.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Share of live memories with a vector, rounded down; null when it cannot be told.
    coverage: Option<String>,
}

/// The configuration file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Config {
    path: String,
    loaded_at: String,
    ok: bool,
    errors: Vec<String>,
}

/// Log files.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Logging {
    log_dir: Option<String>,
    log_file: Option<String>,
}

pub(super) async fn status(cx: Cx) -> Result<Reply, Error> {
    let state = &cx.state;
    let info = &state.info;
    let verdict = judge(state).await;
    let score = match (verdict.blocking.is_empty(), verdict.word()) {
        (false, _) => 0.0,
        (true, "healthy") => 1.0,
        (true, _) => 0.5,
    };
    let binds: Vec<String> = info.bind.iter().map(ToString::to_string).collect();
    Reply::ok(&StatusAnswer {
        status: verdict.word(),
        version: info.version.clone(),
        schema_version: MIGRATIONS.last().map_or(0, |newest| newest.version),
        pid: info.pid,
        uptime: uptime(&cx),
        started_at: info.started_at.to_string(),
        port: info.port,
        host: binds.first().cloned().unwrap_or_default(),
        bind_host: binds.join(", "),
        network_mode: info.network_mode.clone(),
        auth_mode: state.config.mode.as_str(),
        agents_dir: info.workspace.report.path.display().to_string(),
        agent_id: cx.scope.agent().as_str().to_owned(),
        memory_db: verdict.seen.reader,
        runtime: "rust",
        health: Score { score, status: verdict.word() },
        resources: resources(),
        pipeline: Pipeline { workers: Workers { embedding_tracker: tracker(state) } },
        embedding: embedding(&cx, verdict.seen.reader).await,
        config: config(state),
        logging: Logging {
            log_dir: shown(info.log.folder.as_ref()),
            log_file: shown(info.log.file.as_ref()),
        },
        reasons: verdict.reasons(),
    })
}

fn tracker(state: &AppState) -> Worker {
    let status = state.tracker.status();
    Worker {
        running: status.running,
        last_run_at: status.last_cycle_at.map(|at| at.to_string()),
        last_error: status.last_error,
    }
}

async fn embedding(cx: &Cx, readable: bool) -> Embedding {
    let embedder = &cx.state.embedder;
    let profile = embedder.profile();
    let (available, error) = match (&profile, embedder.availability()) {
        (None, _) => (false.into(), Some("embedding is switched off".to_owned())),
        (Some(_), Availability::Unknown) => ("unknown".into(), None),
        (Some(_), Availability::Up) => (true.into(), None),
        (Some(_), Availability::Down(sentence)) => (false.into(), Some(sentence)),
    };
    let (provider, model, dimensions) = match profile {
        Some(profile) => (Some(profile.provider), Some(profile.model), Some(profile.dimensions)),
        None => (None, None, None),
    };
    let coverage = if readable { coverage(cx).await } else { None };
    Embedding { provider, model, dimensions, available, error, coverage }
}

/// From counters. `None` when there is nothing to cover or the counters do not read.
async fn coverage(cx: &Cx) -> Option<String> {
    let agent = cx.scope.agent().clone();
    let gaps = cx.state.reader.read(move |tx| gaps(tx, &agent)).await.ok()?;
    let permille = gaps.coverage_permille();
    (gaps.total > 0).then(|| format!("{}.{}%", permille / 10, permille % 10))
}

fn config(state: &AppState) -> Config {
    let config = state.config_info();
    Config {
        path: config.path.display().to_string(),
        loaded_at: config.loaded_at.to_string(),
        ok: config.errors.is_empty(),
        errors: config.errors,
    }
}

fn shown(path: Option<&PathBuf>) -> Option<String> {
    path.map(|path| path.display().to_string())
}

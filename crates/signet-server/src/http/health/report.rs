//! GET /health

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use super::resources::{Resources, resources};
use super::verdict::judge;
use crate::cx::{Cx, Reply};

/// Whether the daemon is well.
#[expect(clippy::struct_excessive_bools, reason = "the shape clients know")]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Health {
    /// `healthy`, `degraded` or `shutting_down`.
    status: &'static str,
    /// Seconds since start.
    uptime: i64,
    /// Version of the binary.
    version: String,
    /// Port listened on.
    port: u16,
    /// Reads and writes come back.
    db: bool,
    /// `up` or `restarting`.
    db_writer: &'static str,
    /// `up` or `restarting`.
    db_reader: &'static str,
    /// `ok` or `unresolved`.
    database_integrity: &'static str,
    /// The daemon takes no new work.
    shutting_down: bool,
    /// Signet never updates itself.
    update_available: bool,
    /// A changed setting waits for a restart.
    pending_restart: bool,
    /// Memory.
    resources: Resources,
    /// Sentences, the gravest first.
    reasons: Vec<String>,
    /// Process id; for callers from this machine or with a credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// Workspace folder; for callers from this machine or with a credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    agents_dir: Option<String>,
}

pub(super) async fn report(cx: Cx) -> Result<Reply, Error> {
    let state = &cx.state;
    let verdict = judge(state).await;
    let known = cx.link.is_loopback() || cx.principal.authenticated;
    let word = |up: bool| if up { "up" } else { "restarting" };
    Reply::ok(&Health {
        status: verdict.word(),
        uptime: uptime(&cx),
        version: state.info.version.clone(),
        port: state.info.port,
        db: verdict.seen.reader && verdict.seen.writer,
        db_writer: word(verdict.seen.writer),
        db_reader: word(verdict.seen.reader),
        database_integrity: integrity(verdict.sound),
        shutting_down: verdict.ending,
        update_available: false,
        pending_restart: state.gate.live.rules().pending_restart,
        resources: resources(),
        reasons: verdict.reasons(),
        pid: known.then_some(state.info.pid),
        agents_dir: known.then(|| state.info.workspace.report.path.display().to_string()),
    })
}

/// Whole seconds since the start.
pub(super) fn uptime(cx: &Cx) -> i64 {
    (cx.state.clock.now().millis() - cx.state.info.started_at.millis()).max(0) / 1000
}

pub(super) const fn integrity(sound: bool) -> &'static str {
    if sound { "ok" } else { "unresolved" }
}

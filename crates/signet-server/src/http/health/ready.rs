//! GET /health/ready

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_model::embed::Availability;
use signet_store::control::counters::totals;

use super::report::integrity;
use super::verdict::judge;
use crate::AppState;
use crate::cx::{Cx, Reply};

/// Whether requests can be served.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ready {
    /// `ready` or `not_ready`.
    status: &'static str,
    /// Version of the binary.
    version: String,
    /// The daemon takes no new work.
    shutting_down: bool,
    /// What was looked at.
    checks: Checks,
    /// Why it is not ready, then what else is worth knowing.
    reasons: Vec<String>,
}

/// Single findings.
#[expect(clippy::struct_excessive_bools, reason = "the shape clients know")]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Checks {
    /// Reads and writes come back.
    db: bool,
    /// Reads come back.
    db_reader: bool,
    /// Writes come back.
    db_runtime: bool,
    /// Every migration is applied; the store does not open otherwise.
    migrations: bool,
    /// `ok` or `unresolved`.
    database_integrity: &'static str,
    /// The embedding provider.
    embedding: Embedding,
    /// Work that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<Queue>,
}

/// The embedding provider as its last call showed it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Embedding {
    /// Name; null when embedding is off.
    provider: Option<String>,
    /// true, false, or `unknown` before the first call.
    available: serde_json::Value,
    /// What there is to say.
    note: Option<String>,
    /// When the database was looked at.
    checked_at: String,
}

/// Texts that wait for a vector.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Queue {
    /// How many, over all agents.
    depth: u64,
}

pub(super) async fn ready(cx: Cx) -> Result<Reply, Error> {
    let state = &cx.state;
    let verdict = judge(state).await;
    let ready = verdict.blocking.is_empty();
    let checks = Checks {
        db: verdict.seen.reader && verdict.seen.writer,
        db_reader: verdict.seen.reader,
        db_runtime: verdict.seen.writer,
        migrations: true,
        database_integrity: integrity(verdict.sound),
        embedding: embedding(state, verdict.seen.at),
        queue: if verdict.seen.reader { queue(state).await } else { None },
    };
    let answer = Ready {
        status: if ready { "ready" } else { "not_ready" },
        version: state.info.version.clone(),
        shutting_down: verdict.ending,
        checks,
        reasons: verdict.reasons(),
    };
    Reply::with_status(if ready { 200 } else { 503 }, &answer)
}

fn embedding(state: &AppState, at: signet_model::Timestamp) -> Embedding {
    let profile = state.embedder.profile();
    let (available, note) = match (&profile, state.embedder.availability()) {
        (None, _) => (false.into(), Some("embedding is switched off".to_owned())),
        (Some(_), Availability::Unknown) => {
            ("unknown".into(), Some("the provider was not called yet".to_owned()))
        }
        (Some(_), Availability::Up) => (true.into(), None),
        // The provider's own words may hold an address; they stand in the status for known callers.
        (Some(_), Availability::Down(_)) => (false.into(), Some("the last call failed".to_owned())),
    };
    Embedding {
        provider: profile.map(|profile| profile.provider),
        available,
        note,
        checked_at: at.to_string(),
    }
}

/// `None` when the counters do not read: unknown is not 0.
async fn queue(state: &AppState) -> Option<Queue> {
    let totals = state.reader.read(totals).await.ok()?;
    Some(Queue { depth: totals.counters.pending })
}

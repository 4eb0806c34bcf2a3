//! GET /api/embeddings/status.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::embed::Availability;
use signet_model::{AgentId, Error, Permission};
use signet_store::derived::profile::{self, ActiveProfile};
use signet_store::derived::vec::{Mirror, mirror};
use signet_store::{ReadTx, control};

use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = route(
    Verb::Get,
    "/api/embeddings/status",
    Access::Needs(Permission::Recall),
    |cx| Box::pin(status(cx)),
    schema::<StatusAnswer>,
    "The embedding provider, the work that waits, and the index in use. Calls nobody.",
);

/// What is said when embedding is switched off; older clients read this sentence.
pub(super) const SWITCHED_OFF: &str = "Embedding provider set to 'none' — vector search disabled";

#[derive(Debug, Serialize, JsonSchema)]
struct StatusAnswer {
    provider: String,
    model: Option<String>,
    /// Address of a server; null for a model in this process.
    base_url: Option<String>,
    /// true, false, or `unknown` before the first call.
    available: serde_json::Value,
    #[serde(rename = "checkedAt")]
    checked_at: String,
    dimensions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Prefix family.
    profile: Option<&'static str>,
    tracker: Option<Tracker>,
    index: Index,
    migration: Migration,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Tracker {
    running: bool,
    /// Vectors stored since the start.
    processed: u64,
    /// Texts that failed since the start.
    failed: u64,
    skipped_cycles: u64,
    last_cycle_at: Option<String>,
    last_error: Option<String>,
    /// The agent's memories that wait for a vector.
    queue_depth: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Index {
    /// `sqlite-vec`, `window`, or `none` without a vector space.
    kind: &'static str,
    /// The agent's vectors.
    rows: u64,
    rebuilding: bool,
}

/// A change of model: in which state, and between which.
#[derive(Debug, Serialize, JsonSchema)]
struct Migration {
    /// `none` while the store's vectors are of the configured model, else `failed`: this build does not
    /// move a store to another model.
    state: &'static str,
    /// Model of the stored vectors.
    from: Option<String>,
    /// Configured model, when it is another one.
    to: Option<String>,
    staged: u64,
    total: u64,
    quarantined: u64,
}

/// What the store says.
struct Seen {
    active: Option<ActiveProfile>,
    mirror: Mirror,
    counts: control::counters::Counters,
}

fn look(tx: &ReadTx<'_>, agent: &AgentId) -> signet_store::Result<Seen> {
    let counts = control::counters::of_agent(tx, agent)?;
    Ok(Seen { active: profile::active(tx)?, mirror: mirror(tx)?, counts })
}

async fn status(cx: Cx) -> Result<Reply, Error> {
    let agent = cx.scope.agent().clone();
    let seen = cx.state.reader.read(move |tx| look(tx, &agent)).await?;
    let embedder = &cx.state.embedder;
    let profile = embedder.profile();
    let other = match (&profile, &seen.active) {
        (Some(profile), Some(active)) => {
            active.fingerprint != profile.fingerprint() && seen.counts.embeddings > 0
        }
        _ => false,
    };
    let (available, error) = match (&profile, embedder.availability()) {
        (None, _) => (false.into(), Some(SWITCHED_OFF.to_owned())),
        (Some(_), Availability::Unknown) => ("unknown".into(), None),
        (Some(_), Availability::Up) => (true.into(), None),
        (Some(_), Availability::Down(sentence)) => (false.into(), Some(sentence)),
    };
    let model = profile.as_ref().map(|profile| profile.model.clone());
    let tracker = profile.as_ref().map(|_| tracker(&cx, &seen));
    Reply::ok(&StatusAnswer {
        provider: profile.as_ref().map_or("none".to_owned(), |profile| profile.provider.clone()),
        base_url: embedder.address(),
        available,
        checked_at: cx.state.clock.now().to_string(),
        dimensions: profile.as_ref().map(|profile| profile.dimensions),
        error: error.or_else(|| other.then(|| "profile_mismatch".to_owned())),
        profile: profile.as_ref().map(|profile| profile.prefix),
        tracker,
        index: index(&seen),
        migration: Migration {
            state: if other { "failed" } else { "none" },
            from: seen.active.map(|active| active.model),
            to: model.clone().filter(|_| other),
            staged: 0,
            total: seen.counts.embeddings + seen.counts.pending + seen.counts.quarantined,
            quarantined: seen.counts.quarantined,
        },
        model,
    })
}

fn tracker(cx: &Cx, seen: &Seen) -> Tracker {
    let status = cx.state.tracker.status();
    Tracker {
        running: status.running,
        processed: status.processed,
        failed: status.failed,
        skipped_cycles: status.skipped_cycles,
        last_cycle_at: status.last_cycle_at.map(|at| at.to_string()),
        last_error: status.last_error,
        queue_depth: seen.counts.pending,
    }
}

fn index(seen: &Seen) -> Index {
    let kind = match (&seen.active, seen.mirror) {
        (None, _) => "none",
        (Some(_), Mirror::Ready) => "sqlite-vec",
        (Some(_), _) => "window",
    };
    let rebuilding = seen.active.is_some() && seen.mirror != Mirror::Ready;
    Index { kind, rows: seen.counts.embeddings, rebuilding }
}

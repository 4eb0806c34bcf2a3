//! GET /api/embeddings/health.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::embed::{Availability, Profile};
use signet_model::{AgentScope, Error, Permission};
use signet_store::ReadTx;
use signet_store::derived::embedded::{Sample, sample};
use signet_store::derived::profile::{self, Standing};
use signet_store::derived::vec::{Mirror, mirror};
use signet_store::derived::work::{Gaps, gaps};

use super::status::SWITCHED_OFF;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = route(
    Verb::Get,
    "/api/embeddings/health",
    Access::Needs(Permission::Diagnostics),
    |cx| Box::pin(health(cx)),
    schema::<HealthAnswer>,
    "Checks of provider, coverage and vectors, weighed into a score.",
);

/// Newest vectors that are looked at: the answer must not grow with the store.
const LOOKED_AT: usize = 1_000;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HealthAnswer {
    /// `healthy` from 0.8, `degraded` from 0.5, else `unhealthy`.
    status: &'static str,
    /// 0 to 1.
    score: f64,
    checked_at: String,
    config: Config,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Config {
    provider: String,
    model: Option<String>,
    dimensions: Option<usize>,
    base_url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

impl Verdict {
    const fn worth(self) -> f64 {
        match self {
            Self::Ok => 1.0,
            Self::Warn => 0.5,
            Self::Fail => 0.0,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct Check {
    name: &'static str,
    status: Verdict,
    message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'static str>,
    #[serde(skip)]
    weight: f64,
}

/// What the store says.
struct Seen {
    gaps: Gaps,
    standing: Option<Standing>,
    mirror: Mirror,
    sample: Sample,
}

fn look(tx: &ReadTx<'_>, scope: &AgentScope, profile: Option<&Profile>) -> signet_store::Result<Seen> {
    let active = profile::active(tx)?;
    Ok(Seen {
        gaps: gaps(tx, scope.agent())?,
        standing: profile.map(|profile| profile::standing(tx, profile)).transpose()?,
        mirror: mirror(tx)?,
        sample: match &active {
            Some(active) => sample(tx, scope, active, LOOKED_AT)?,
            None => Sample::default(),
        },
    })
}

async fn health(cx: Cx) -> Result<Reply, Error> {
    let embedder = &cx.state.embedder;
    let profile = embedder.profile();
    let (scope, asked) = (cx.scope.clone(), profile.clone());
    let seen = cx.state.reader.read(move |tx| look(tx, &scope, asked.as_ref())).await?;
    let checks = checks(&seen, embedder.availability());
    // Rounded so that seven weights add up to the number a person expects.
    let sum = checks.iter().map(|check| check.weight * check.status.worth()).sum::<f64>();
    let score = (sum * 1000.0).round() / 1000.0;
    let status = match score {
        0.8.. => "healthy",
        0.5.. => "degraded",
        _ => "unhealthy",
    };
    let config = Config {
        provider: profile.as_ref().map_or("none".to_owned(), |profile| profile.provider.clone()),
        model: profile.as_ref().map(|profile| profile.model.clone()),
        dimensions: profile.as_ref().map(|profile| profile.dimensions),
        base_url: embedder.address(),
    };
    Reply::ok(&HealthAnswer { status, score, checked_at: cx.state.clock.now().to_string(), config, checks })
}

fn checks(seen: &Seen, availability: Availability) -> Vec<Check> {
    vec![
        provider(seen, availability),
        coverage(&seen.gaps),
        counted(
            "dimension-mismatch",
            0.15,
            (seen.sample.wrong_length, seen.sample.rows),
            "of another length",
        ),
        drift(seen.standing.as_ref()),
        counted("null-vectors", 0.08, (seen.sample.unsound, seen.sample.rows), "zero or not finite"),
        sync(seen),
        counted(
            "orphaned-embeddings",
            0.05,
            (seen.sample.orphaned, seen.sample.rows),
            "without a live memory",
        ),
    ]
}

fn check(name: &'static str, weight: f64, status: Verdict, message: impl Into<String>) -> Check {
    Check { name, status, message: message.into(), fix: None, weight }
}

fn provider(seen: &Seen, availability: Availability) -> Check {
    let (status, message) = match (&seen.standing, availability) {
        (None, _) => (Verdict::Fail, SWITCHED_OFF.to_owned()),
        (Some(_), Availability::Up) => (Verdict::Ok, "the last call went through".to_owned()),
        (Some(_), Availability::Unknown) => (Verdict::Warn, "not called yet".to_owned()),
        (Some(_), Availability::Down(sentence)) => (Verdict::Fail, sentence),
    };
    let fix =
        (status == Verdict::Fail).then_some("check `embedding` in agent.yaml and whether its server runs");
    Check { fix, ..check("provider-available", 0.30, status, message) }
}

fn coverage(gaps: &Gaps) -> Check {
    let permille = gaps.coverage_permille();
    let status = match permille {
        950.. => Verdict::Ok,
        800.. => Verdict::Warn,
        _ => Verdict::Fail,
    };
    let (unembedded, total) = (gaps.unembedded(), gaps.total);
    let message = format!("{}.{}%: {unembedded} of {total} without a vector", permille / 10, permille % 10);
    check("coverage", 0.25, status, message)
}

fn counted(name: &'static str, weight: f64, count: (usize, usize), what: &str) -> Check {
    let (bad, rows) = count;
    let status = if bad == 0 { Verdict::Ok } else { Verdict::Fail };
    let fix = (bad > 0).then_some("upkeep replaces them within the hour; `signet rebuild` does it now");
    Check { fix, ..check(name, weight, status, format!("{bad} of the newest {rows} vectors are {what}")) }
}

fn drift(standing: Option<&Standing>) -> Check {
    let (status, message) = match standing {
        Some(Standing::Other(active)) => {
            (Verdict::Fail, format!("profile_mismatch: the stored vectors are of {}", active.model))
        }
        Some(Standing::Same(_)) => (Verdict::Ok, "the stored vectors are of the configured model".to_owned()),
        Some(Standing::Empty) | None => (Verdict::Ok, "no vectors are stored".to_owned()),
    };
    let fix = (status == Verdict::Fail).then_some("set `embedding` back to the model of the stored vectors");
    Check { fix, ..check("model-drift", 0.10, status, message) }
}

fn sync(seen: &Seen) -> Check {
    let (status, message) = match seen.mirror {
        Mirror::Ready => (Verdict::Ok, "the vector index is complete"),
        _ if seen.sample.rows == 0 => (Verdict::Ok, "no vectors are stored"),
        Mirror::Building => (Verdict::Warn, "the vector index is being rebuilt"),
        Mirror::Absent => (Verdict::Warn, "the vector index is missing and will be rebuilt"),
    };
    check("vec-table-sync", 0.07, status, message)
}

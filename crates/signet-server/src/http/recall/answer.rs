//! The answer of a recall as it goes over the wire.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use signet_model::recall::{
    ChannelReport, Completeness, Degradation, Dropped, Evidence, Explain, Hit, Meta, Outcome, Reason, Stage,
    Target,
};

/// Answer of a recall.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecallAnswer {
    /// Results, best first.
    results: Vec<ResultItem>,
    /// The query as it was read.
    query: String,
    /// What ran: hybrid, keyword or none.
    method: &'static str,
    /// Facts about the answer.
    meta: MetaBody,
    /// Only with `aggregate`. This build writes none and says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) aggregate: Option<Aggregate>,
    /// Only with `expand`: session key to text. This build keeps no sessions, so it is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sources: Option<Map<String, Value>>,
    /// Only with `explain` or `explainId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<ExplainBody>,
}

/// One result. The order is by rank; the score is absolute.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the answer, not a state")]
struct ResultItem {
    id: String,
    kind: &'static str,
    /// The text, cut at a limit. Credentials are taken out when the answer goes into a prompt.
    content: String,
    /// Characters of the stored text.
    content_length: usize,
    /// The text was cut.
    truncated: bool,
    score: f64,
    source: &'static str,
    source_type: String,
    source_id: Option<String>,
    source_path: Option<String>,
    session_id: Option<String>,
    #[serde(rename = "type")]
    memory_type: String,
    tags: String,
    pinned: bool,
    importance: f64,
    who: Option<String>,
    project: Option<String>,
    created_at: String,
    occurred_at: Option<String>,
    observed_at: Option<String>,
    valid_from: Option<String>,
    valid_until: Option<String>,
    visibility: &'static str,
    scope: Option<String>,
    subject_type: Option<String>,
    subject_id: Option<String>,
    /// Always false in this build: no result is added beside the recalled ones.
    supplementary: bool,
    /// Always false in this build: it does not keep what a session was given.
    already_recalled: bool,
    evidence: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<ResultExplain>,
}

/// Why one result has its place and its score.
#[derive(Debug, Serialize, JsonSchema)]
struct ResultExplain {
    /// Share of each feature in the order.
    features: BTreeMap<&'static str, f64>,
    /// Rules that changed the score.
    rules: Vec<RuleBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RuleBody {
    rule: &'static str,
    before: f64,
    after: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MetaBody {
    total_returned: usize,
    /// Always false in this build.
    has_supplementary: bool,
    no_hits: bool,
    timings: Timings,
    dedupe: Dedupe,
    temporal: Option<Value>,
    partial: bool,
    degradation: Option<&'static str>,
    degradations: Vec<&'static str>,
    vector_completeness: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_window: Option<usize>,
    /// Texts of the agent that wait for a vector: until then only their words find them. Absent when there
    /// are none, or when vectors were not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending_vectors: Option<u64>,
    limit_applied: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Timings {
    total_ms: f64,
    stages: Vec<StageMs>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StageMs {
    name: &'static str,
    ms: f64,
}

/// Suppression of what a session was given before. Never enabled in this build.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Dedupe {
    enabled: bool,
    context_epoch: Option<u64>,
    suppressed: usize,
    repeated_returned: usize,
    failed_open: bool,
}

/// A written answer, or why there is none.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Aggregate {
    answer: Option<String>,
    saved_memory_id: Option<String>,
    saved: bool,
    deduped: bool,
    budget: String,
    queries: Vec<String>,
    source_memory_ids: Vec<String>,
    stopped_reason: &'static str,
    partial: bool,
    usage: Map<String, Value>,
}

impl Aggregate {
    /// No model is bound that could write one.
    pub(super) fn unavailable(budget: &str) -> Self {
        Self {
            answer: None,
            saved_memory_id: None,
            saved: false,
            deduped: false,
            budget: budget.to_owned(),
            queries: Vec::new(),
            source_memory_ids: Vec::new(),
            stopped_reason: "router_unavailable",
            partial: true,
            usage: Map::new(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct ExplainBody {
    stages: Vec<StageBody>,
    channels: BTreeMap<&'static str, ChannelBody>,
    weights: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<TargetBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StageBody {
    name: &'static str,
    #[serde(rename = "in")]
    entered: usize,
    added: usize,
    out: usize,
    ms: f64,
    dropped: Vec<DroppedBody>,
    dropped_total: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DroppedBody {
    id: String,
    reason: &'static str,
    detail: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChannelBody {
    ran: bool,
    candidates: usize,
    top_score: f64,
    skipped_reason: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TargetBody {
    id: String,
    found_in: Vec<&'static str>,
    dropped_at: Option<&'static str>,
    reason: Option<&'static str>,
    detail: Option<String>,
}

impl RecallAnswer {
    /// The answer of an outcome.
    pub(super) fn new(query: String, outcome: Outcome) -> Self {
        let explained = outcome.explain.is_some();
        let meta = meta(&outcome.meta, outcome.hits.len());
        Self {
            results: outcome.hits.into_iter().map(|hit| result(hit, explained)).collect(),
            query,
            method: outcome.method.as_str(),
            meta,
            aggregate: None,
            sources: None,
            explain: outcome.explain.map(explain),
        }
    }
}

fn result(hit: Hit, explained: bool) -> ResultItem {
    let memory = hit.memory;
    let rules = hit.rules.into_iter().map(|(rule, before, after)| RuleBody { rule, before, after });
    ResultItem {
        id: memory.id.to_string(),
        kind: "memory",
        content: memory.content,
        content_length: memory.content_length,
        truncated: memory.truncated,
        score: hit.score,
        source: hit.origin.as_str(),
        source_type: memory.source_type,
        source_id: filled(memory.source_id),
        source_path: memory.source_path,
        session_id: memory.session_id,
        memory_type: memory.kind,
        tags: memory.tags,
        pinned: memory.pinned,
        importance: memory.importance,
        who: memory.who,
        project: filled(memory.project),
        created_at: memory.created_at.to_string(),
        occurred_at: memory.occurred_at,
        observed_at: memory.observed_at,
        valid_from: memory.valid_from,
        valid_until: memory.valid_until,
        visibility: memory.visibility.as_str(),
        scope: filled(memory.scope),
        subject_type: None,
        subject_id: None,
        supplementary: false,
        already_recalled: false,
        evidence: evidence(hit.evidence),
        explain: explained
            .then(|| ResultExplain { features: hit.shares.into_iter().collect(), rules: rules.collect() }),
    }
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// Channels that found the row, with their value.
fn evidence(values: Evidence) -> BTreeMap<&'static str, f64> {
    [("lexical", values.lexical), ("semantic", values.semantic), ("hint", values.hint)]
        .into_iter()
        .filter(|(_, value)| *value > 0.0)
        .collect()
}

fn meta(meta: &Meta, returned: usize) -> MetaBody {
    let degradations: Vec<&'static str> = meta.degradations.iter().map(|d| d.as_str()).collect();
    MetaBody {
        total_returned: returned,
        has_supplementary: false,
        no_hits: returned == 0,
        timings: Timings {
            total_ms: ms(meta.total),
            stages: meta
                .stages
                .iter()
                .map(|stage| StageMs { name: stage.name, ms: ms(stage.took) })
                .collect(),
        },
        dedupe: Dedupe {
            enabled: false,
            context_epoch: None,
            suppressed: 0,
            repeated_returned: 0,
            failed_open: false,
        },
        temporal: None,
        partial: meta.degradations.contains(&Degradation::FtsIncomplete),
        degradation: degradations.first().copied(),
        degradations,
        vector_completeness: meta.completeness.as_str(),
        searched_window: match meta.completeness {
            Completeness::RecentWindow(rows) => Some(rows),
            Completeness::Complete | Completeness::Unavailable => None,
        },
        pending_vectors: (meta.pending_vectors > 0).then_some(meta.pending_vectors),
        limit_applied: meta.limit,
    }
}

/// Milliseconds with two decimals.
fn ms(took: Duration) -> f64 {
    (took.as_secs_f64() * 100_000.0).round() / 100.0
}

fn explain(explain: Explain) -> ExplainBody {
    ExplainBody {
        stages: explain.stages.into_iter().map(stage).collect(),
        channels: explain.channels.iter().map(channel).collect(),
        weights: explain.weights.into_iter().collect(),
        target: explain.target.map(target),
    }
}

fn stage(stage: Stage) -> StageBody {
    StageBody {
        name: stage.name,
        entered: stage.entered,
        added: stage.added,
        out: stage.left,
        ms: ms(stage.took),
        dropped: stage.dropped.into_iter().map(dropped).collect(),
        dropped_total: stage.dropped_total,
    }
}

fn dropped(dropped: Dropped) -> DroppedBody {
    DroppedBody { id: dropped.id, reason: dropped.reason.as_str(), detail: dropped.detail }
}

fn channel(report: &ChannelReport) -> (&'static str, ChannelBody) {
    let body = ChannelBody {
        ran: report.ran,
        candidates: report.candidates,
        top_score: report.top_score,
        skipped_reason: report.skipped,
    };
    (report.name, body)
}

fn target(target: Target) -> TargetBody {
    TargetBody {
        id: target.id,
        found_in: target.found_in,
        dropped_at: target.dropped_at,
        reason: target.reason.map(Reason::as_str),
        detail: target.detail,
    }
}

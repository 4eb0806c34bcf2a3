//! `memory.dreaming`: the background pass that curates. Not in this build yet.

use super::super::check::Findings;
use super::super::key::{Key, Kind, key};

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key(
        "memory.dreaming.enabled",
        Kind::Flag,
        "true",
        "Run passes; idle until the workload `dreaming` has a target.",
    ),
    key(
        "memory.dreaming.tokenThreshold",
        Kind::Int(10_000, 1_000_000),
        "100000",
        "New evidence that starts a pass.",
    ),
    key(
        "memory.dreaming.maxInterval",
        Kind::Millis(300_000, 604_800_000),
        "21600000",
        "Longest time between passes.",
    ),
    key("memory.dreaming.timeout", Kind::Millis(30_000, 1_800_000), "1200000", "Longest pass."),
    key("memory.dreaming.maxInputTokens", Kind::Int(8000, 1_000_000), "128000", "Context of one request."),
    key(
        "memory.dreaming.maxOutputTokens",
        Kind::Int(1000, 128_000),
        "16000",
        "Longest answer; null = the target's limit.",
    )
    .nullable(),
    key(
        "memory.dreaming.maxConcurrentPasses",
        Kind::Int(1, 16),
        "1",
        "Passes at a time, at most worker.maxLlmConcurrency.",
    ),
    key(
        "memory.dreaming.backfillOnFirstRun",
        Kind::Flag,
        "true",
        "The first pass reads what is there already.",
    ),
    key(
        "memory.dreaming.keepReplies",
        Kind::Flag,
        "true",
        "Keep the model's turns, so that a pass can be replayed.",
    ),
    key("memory.dreaming.surprisal.enabled", Kind::Flag, "false", "Prefer evidence that surprises."),
    key("memory.dreaming.surprisal.sampleSize", Kind::Int(20, 500), "128", "Rows compared."),
    key("memory.dreaming.surprisal.maxCandidates", Kind::Int(1, 20), "5", "Rows chosen."),
    key("memory.dreaming.surprisal.minObservations", Kind::Int(1, 500), "20", "Rows needed."),
    key("memory.dreaming.surprisal.neighborCount", Kind::Int(1, 50), "5", "Neighbours of a row."),
    key("memory.dreaming.surprisal.treeLeafSize", Kind::Int(2, 64), "10", "Leaf of the search tree."),
    key("memory.dreaming.surprisal.minScore", Kind::Number(0.0, 1.0), "0.75", "Least surprise."),
];

/// Passes cannot outnumber model calls.
pub(crate) fn validate(found: &mut Findings) {
    let passes = found.int("memory.dreaming.maxConcurrentPasses");
    let calls = found.int("memory.pipelineV2.worker.maxLlmConcurrency");
    if let (Some(passes), Some(calls)) = (passes, calls)
        && passes > calls
    {
        found.refuse(
            "memory.dreaming.maxConcurrentPasses",
            format!("`maxConcurrentPasses` must be at most `worker.maxLlmConcurrency`, here {calls}"),
        );
    }
}

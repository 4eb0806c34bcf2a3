//! `memory` and `memory.pipelineV2`: the database, projects, background work and its bounds.

use super::super::check::Findings;
use super::super::key::{Key, Kind, key};

const SHARE: Kind = Kind::Number(0.0, 1.0);
const COOLDOWN: Kind = Kind::Millis(1000, 3_600_000);
const HOURLY: Kind = Kind::Int(1, 1000);

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key("memory.database", Kind::Text, "\"memory/memories.db\"", "The database; only this path.").restart(),
    key(
        "memory.project.followWorktrees",
        Kind::Flag,
        "true",
        "A git worktree counts as its main repository.",
    ),
    key("memory.pipelineV2.enabled", Kind::Flag, "true", "Background work that needs no model."),
    key("memory.pipelineV2.paused", Kind::Flag, "false", "Pause it."),
    key("memory.pipelineV2.shadowMode", Kind::Flag, "false", "Do it without writing."),
    key("memory.pipelineV2.mutationsFrozen", Kind::Flag, "false", "Kill switch: every write is refused."),
    key(
        "memory.pipelineV2.worker.pollMs",
        Kind::Millis(100, 60_000),
        "2000",
        "Pause between looks at the queue.",
    ),
    key("memory.pipelineV2.worker.maxRetries", Kind::Int(1, 10), "3", "Attempts of a job."),
    key(
        "memory.pipelineV2.worker.leaseTimeoutMs",
        Kind::Millis(10_000, 600_000),
        "300000",
        "A job is free again after.",
    ),
    key("memory.pipelineV2.worker.maxLlmConcurrency", Kind::Int(1, 16), "2", "Model calls at a time.")
        .env("SIGNET_MAX_LLM_CONCURRENCY"),
    key("memory.pipelineV2.graph.enabled", Kind::Flag, "true", "The graph takes part in recall."),
    key("memory.pipelineV2.graph.boostWeight", SHARE, "0.15", "Weight of the graph."),
    key(
        "memory.pipelineV2.graph.boostTimeoutMs",
        Kind::Millis(10, 5000),
        "500",
        "Longest wait for the graph.",
    ),
    key("memory.pipelineV2.traversal.enabled", Kind::Flag, "true", "Follow links from what was found."),
    key("memory.pipelineV2.traversal.primary", Kind::Flag, "true", "Traversal brings its own candidates."),
    key(
        "memory.pipelineV2.traversal.maxAspectsPerEntity",
        Kind::Int(1, 200),
        "20",
        "Aspects read of an entity.",
    ),
    key(
        "memory.pipelineV2.traversal.maxAttributesPerAspect",
        Kind::Int(1, 500),
        "50",
        "Claims read of an aspect.",
    ),
    key(
        "memory.pipelineV2.traversal.maxWriteAspectsPerEntity",
        Kind::Int(1, 200),
        "20",
        "Aspects an entity may get.",
    ),
    key(
        "memory.pipelineV2.traversal.maxWriteAttributesPerAspect",
        Kind::Int(1, 500),
        "50",
        "Claims an aspect may get.",
    ),
    key("memory.pipelineV2.traversal.maxDependencyHops", Kind::Int(0, 10), "2", "Links followed in a row."),
    key("memory.pipelineV2.traversal.minDependencyStrength", SHARE, "0.3", "Weakest link followed."),
    key("memory.pipelineV2.traversal.minConfidence", SHARE, "0.5", "Least certain claim read."),
    key("memory.pipelineV2.traversal.boostWeight", SHARE, "0.2", "Weight of traversal."),
    key("memory.pipelineV2.traversal.maxBranching", Kind::Int(1, 50), "4", "Links followed from one entity."),
    key("memory.pipelineV2.traversal.maxTraversalPaths", Kind::Int(1, 1000), "50", "Paths in all."),
    key(
        "memory.pipelineV2.traversal.timeoutMs",
        Kind::Millis(10, 5000),
        "500",
        "Longest wait for traversal.",
    ),
    key(
        "memory.pipelineV2.traversal.constraintBudgetChars",
        Kind::Int(0, 20_000),
        "1000",
        "Characters of constraints.",
    ),
    key("memory.pipelineV2.reranker.enabled", Kind::Flag, "true", "Order the best again."),
    key("memory.pipelineV2.reranker.topN", Kind::Int(1, 100), "20", "How many of them."),
    key("memory.pipelineV2.reranker.timeoutMs", Kind::Millis(100, 30_000), "2000", "Longest wait for it."),
    key(
        "memory.pipelineV2.reranker.modelDir",
        Kind::Text,
        "null",
        "Folder of a cross-encoder; none = no model.",
    ),
    key(
        "memory.pipelineV2.dampening.gravity",
        Kind::Flag,
        "true",
        "Dampen rows without a word of the question.",
    ),
    key("memory.pipelineV2.dampening.hub", Kind::Flag, "true", "Dampen rows that hang on everything."),
    key("memory.pipelineV2.dampening.resolution", Kind::Flag, "true", "Prefer precise rows."),
    key("memory.pipelineV2.autonomous.enabled", Kind::Flag, "true", "Maintenance runs by itself."),
    key("memory.pipelineV2.autonomous.frozen", Kind::Flag, "false", "Maintenance writes nothing."),
    key(
        "memory.pipelineV2.autonomous.allowUpdateDelete",
        Kind::Flag,
        "true",
        "It may deduplicate and prune.",
    ),
    key(
        "memory.pipelineV2.autonomous.maintenanceIntervalMs",
        Kind::Millis(60_000, 86_400_000),
        "1800000",
        "Its interval.",
    ),
    key(
        "memory.pipelineV2.autonomous.maintenanceMode",
        Kind::Word(&["execute", "observe"]),
        "\"execute\"",
        "observe reports and changes nothing.",
    ),
    key("memory.pipelineV2.repair.reembedCooldownMs", COOLDOWN, "300000", "Pause between re-embeddings."),
    key("memory.pipelineV2.repair.reembedHourlyBudget", HOURLY, "10", "Re-embeddings an hour."),
    key("memory.pipelineV2.repair.requeueCooldownMs", COOLDOWN, "60000", "Pause between requeues."),
    key("memory.pipelineV2.repair.requeueHourlyBudget", HOURLY, "50", "Requeues an hour."),
    key("memory.pipelineV2.repair.dedupCooldownMs", COOLDOWN, "600000", "Pause between deduplications."),
    key("memory.pipelineV2.repair.dedupHourlyBudget", HOURLY, "3", "Deduplications an hour."),
    key(
        "memory.pipelineV2.repair.dedupSemanticThreshold",
        Kind::Number(0.8, 1.0),
        "0.92",
        "Likeness of duplicates.",
    ),
    key(
        "memory.pipelineV2.repair.dedupBatchSize",
        Kind::Int(1, 500),
        "100",
        "Rows a deduplication looks at.",
    ),
    key(
        "memory.pipelineV2.documents.workerIntervalMs",
        Kind::Millis(1000, 300_000),
        "10000",
        "Pause of the worker.",
    ),
    key("memory.pipelineV2.documents.chunkSize", Kind::Int(200, 50_000), "2000", "Characters of a chunk."),
    key(
        "memory.pipelineV2.documents.chunkOverlap",
        Kind::Int(0, 10_000),
        "200",
        "Characters two chunks share.",
    ),
    key(
        "memory.pipelineV2.documents.maxContentBytes",
        Kind::Bytes(1024, 104_857_600),
        "10485760",
        "Largest document.",
    ),
    key(
        "memory.pipelineV2.documents.allowHosts",
        Kind::Texts,
        "[]",
        "Private hosts that may be fetched, exact names.",
    ),
    key(
        "memory.pipelineV2.guardrails.maxContentChars",
        Kind::Int(100, 20_000),
        "800",
        "Longer texts are split.",
    ),
    key(
        "memory.pipelineV2.guardrails.chunkTargetChars",
        Kind::Int(50, 20_000),
        "600",
        "Characters of a part.",
    ),
    key(
        "memory.pipelineV2.guardrails.recallTruncateChars",
        Kind::Int(50, 20_000),
        "500",
        "A result is cut after.",
    ),
    key(
        "memory.pipelineV2.guardrails.contextBudgetChars",
        Kind::Int(100, 100_000),
        "4000",
        "Characters of a context.",
    ),
    key("memory.pipelineV2.continuity.enabled", Kind::Flag, "true", "Keep checkpoints of sessions."),
    key(
        "memory.pipelineV2.continuity.promptInterval",
        Kind::Int(1, 1000),
        "10",
        "Prompts between checkpoints.",
    ),
    key(
        "memory.pipelineV2.continuity.timeIntervalMs",
        Kind::Millis(10_000, 86_400_000),
        "900000",
        "Time between them.",
    ),
    key(
        "memory.pipelineV2.continuity.maxCheckpointsPerSession",
        Kind::Int(1, 10_000),
        "50",
        "Checkpoints of a session.",
    ),
    key("memory.pipelineV2.continuity.retentionDays", Kind::Int(1, 365), "7", "Days they are kept."),
    key(
        "memory.pipelineV2.continuity.recoveryBudgetChars",
        Kind::Int(0, 100_000),
        "2000",
        "Characters of a recovery.",
    ),
    key(
        "memory.pipelineV2.subagents.inheritContext",
        Kind::Flag,
        "true",
        "Sub-agents see their parent's context.",
    ),
    key("memory.pipelineV2.subagents.tailChars", Kind::Int(0, 20_000), "3000", "Characters of it."),
    key("memory.pipelineV2.embeddingTracker.enabled", Kind::Flag, "true", "Embed what has no vector."),
    key(
        "memory.pipelineV2.embeddingTracker.pollMs",
        Kind::Millis(100, 600_000),
        "5000",
        "Pause between looks.",
    ),
    key("memory.pipelineV2.embeddingTracker.batchSize", Kind::Int(1, 20), "8", "Texts of one provider call."),
    key(
        "memory.pipelineV2.hints.enabled",
        Kind::Flag,
        "true",
        "Write questions that a memory answers; idle without a model.",
    ),
    key("memory.pipelineV2.hints.max", Kind::Int(1, 10), "5", "Questions of a memory."),
    key("memory.pipelineV2.hints.timeout", Kind::Millis(1000, 300_000), "60000", "Longest call."),
    key("memory.pipelineV2.hints.maxTokens", Kind::Int(64, 8192), "256", "Tokens of an answer."),
    key("memory.pipelineV2.hints.poll", Kind::Millis(500, 600_000), "5000", "Pause between looks."),
    key("memory.pipelineV2.feedback.enabled", Kind::Flag, "true", "Learn from what was useful."),
    key("memory.pipelineV2.feedback.ftsWeightDelta", SHARE, "0.02", "Step of a weight."),
    key("memory.pipelineV2.feedback.minAspectWeight", SHARE, "0.1", "Least weight."),
    key("memory.pipelineV2.feedback.maxAspectWeight", SHARE, "1.0", "Greatest weight."),
    key("memory.pipelineV2.feedback.decayEnabled", Kind::Flag, "false", "Weights fall back with time."),
    key("memory.pipelineV2.feedback.decayRate", SHARE, "0.0", "How fast."),
    key("memory.pipelineV2.feedback.staleDays", Kind::Int(1, 3650), "14", "From which age."),
    key(
        "memory.pipelineV2.feedback.decayIntervalSessions",
        Kind::Int(1, 1000),
        "10",
        "Every so many sessions.",
    ),
    key(
        "memory.pipelineV2.telemetryEnabled",
        Kind::Flag,
        "false",
        "Local event ledger; nothing is ever sent.",
    ),
    key("memory.pipelineV2.telemetry.retentionDays", Kind::Int(1, 3650), "90", "Days its events are kept."),
    key(
        "memory.pipelineV2.telemetry.memorySearchQaEnabled",
        Kind::Flag,
        "false",
        "Keep a ledger of searches.",
    ),
    key(
        "memory.pipelineV2.transcripts.maxAttempts",
        Kind::Int(1, 20),
        "5",
        "Attempts to take in a transcript.",
    ),
];

/// Pairs of keys of which one bounds the other.
pub(crate) fn validate(found: &mut Findings) {
    let at = |name: &str| format!("memory.pipelineV2.{name}");
    let (size, overlap) = (found.int(&at("documents.chunkSize")), found.int(&at("documents.chunkOverlap")));
    if let (Some(size), Some(overlap)) = (size, overlap)
        && overlap > size - 50
    {
        found.refuse(
            &at("documents.chunkOverlap"),
            format!("`documents.chunkOverlap` must be at most chunkSize - 50, here {}", size - 50),
        );
    }
    let (most, target) =
        (found.int(&at("guardrails.maxContentChars")), found.int(&at("guardrails.chunkTargetChars")));
    if let (Some(most), Some(target)) = (most, target)
        && target > most
    {
        found.refuse(
            &at("guardrails.chunkTargetChars"),
            format!("`guardrails.chunkTargetChars` must be at most maxContentChars, here {most}"),
        );
    }
    let (least, most) =
        (found.number(&at("feedback.minAspectWeight")), found.number(&at("feedback.maxAspectWeight")));
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        found.refuse(
            &at("feedback.minAspectWeight"),
            format!("`feedback.minAspectWeight` must be at most {most}"),
        );
    }
}

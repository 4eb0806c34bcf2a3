//! Keys of older files: refused with their replacement, read under a new name, or accepted without effect.

/// Why a retired key is gone, by path. A path covers everything below it.
pub(crate) const RETIRED: &[(&str, &str)] = &[
    ("memory.pipelineV2.extractionProvider", TARGET),
    ("memory.pipelineV2.extractionModel", TARGET),
    ("memory.pipelineV2.extractionEndpoint", TARGET),
    ("memory.pipelineV2.extractionBaseUrl", TARGET),
    ("memory.pipelineV2.extractionFallbackProvider", TARGET),
    ("memory.pipelineV2.extractionCommand", TARGET),
    ("memory.pipelineV2.allowRemoteProviders", TARGET),
    ("memory.pipelineV2.extraction.provider", TARGET),
    ("memory.pipelineV2.extraction.model", TARGET),
    ("memory.pipelineV2.extraction.endpoint", TARGET),
    ("memory.pipelineV2.extraction.base_url", TARGET),
    ("memory.pipelineV2.extraction.fallbackProvider", TARGET),
    ("memory.pipelineV2.extraction.allowRemoteProviders", TARGET),
    ("memory.pipelineV2.extraction.command", TARGET),
    ("memory.synthesis", SYNTHESIS),
    ("memory.pipelineV2.synthesis", SYNTHESIS),
    ("memory.pipelineV2.writeGate", WRITE_GATE),
    ("memory.pipelineV2.durability", WRITE_GATE),
    ("memory.pipelineV2.writeGateEnabled", WRITE_GATE),
    ("memory.pipelineV2.writeGateThreshold", WRITE_GATE),
    ("memory.pipelineV2.writeGateContinuityDiscount", WRITE_GATE),
    ("memory.pipelineV2.reranker.model", RERANK),
    ("memory.pipelineV2.reranker.useExtractionModel", RERANK),
    ("memory.pipelineV2.structural", "nothing: Dreaming is not part of Signet yet"),
    ("memory.pipelineV2.predictor", "nothing: Dreaming is not part of Signet yet"),
    ("memory.pipelineV2.summary", "nothing: Dreaming is not part of Signet yet"),
    ("memory.pipelineV2.procedural.enrichOnInstall", "nothing: it was removed"),
    ("memory.pipelineV2.procedural.enrichMinDescription", "nothing: it was removed"),
    ("embeddings", "`embedding`"),
    ("memory.embeddings", "`embedding`"),
    ("inference.workloads.session_synthesis", WORKLOADS),
    ("inference.workloads.interactive", WORKLOADS),
    ("inference.workloads.widgetGeneration", WORKLOADS),
    ("inference.workloads.repair", WORKLOADS),
];

const TARGET: &str = "nothing: language models are not part of Signet yet";
const SYNTHESIS: &str = "nothing: MEMORY.md is not part of Signet yet";
const WRITE_GATE: &str = "nothing: the graph is not part of Signet yet";
const RERANK: &str = "nothing: reranking by a model is not part of Signet yet";
const WORKLOADS: &str = TARGET;

/// Old flat spelling -> present key, both under `memory.pipelineV2`. Read with one warning.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("graphEnabled", "graph.enabled"),
    ("rerankerEnabled", "reranker.enabled"),
    ("autonomousEnabled", "autonomous.enabled"),
    ("autonomousFrozen", "autonomous.frozen"),
    ("maintenanceIntervalMs", "autonomous.maintenanceIntervalMs"),
    ("documentChunkSize", "documents.chunkSize"),
    ("documentChunkOverlap", "documents.chunkOverlap"),
    ("documentWorkerIntervalMs", "documents.workerIntervalMs"),
    ("documentMaxContentBytes", "documents.maxContentBytes"),
    ("leaseTimeoutMs", "worker.leaseTimeoutMs"),
    ("workerPollMs", "worker.pollMs"),
    ("workerMaxRetries", "worker.maxRetries"),
];

/// `hooks.sessionStart.maxInjectChars` counts characters; `maxInjectTokens` is a quarter of it.
pub(crate) const INJECT_CHARS: (&str, &str) =
    ("hooks.sessionStart.maxInjectChars", "hooks.sessionStart.maxInjectTokens");

/// Accepted without effect, so that a file of an older installation loads. A path covers everything below it.
pub(crate) const IGNORED: &[&str] = &[
    "install",
    "identity",
    "plugins",
    "git",
    "update",
    "updates",
    "skills",
    "marketplace",
    "tasks",
    "tray",
    "desktop",
    "dashboard",
    "secrets",
    "memory.session_budget",
    "memory.decay_rate",
    "memory.pipelineV2.semanticContradictionEnabled",
    "memory.pipelineV2.semanticContradictionTimeoutMs",
    "memory.pipelineV2.significance",
    "memory.pipelineV2.modelRegistry",
    "memory.pipelineV2.reflections",
    "memory.pipelineV2.procedural",
    "memory.pipelineV2.extraction.strength",
    "memory.pipelineV2.extraction.timeout",
    "memory.pipelineV2.extraction.minConfidence",
    "memory.dreaming.codemode",
    "memory.dreaming.summaryBackfillSince",
    "agents.roster",
];

/// What replaces a retired path.
pub(crate) fn retired(path: &str) -> Option<&'static str> {
    RETIRED.iter().find(|(known, _)| same_path(known, path)).map(|(_, instead)| *instead)
}

/// Whether a path is accepted without effect.
pub(crate) fn ignored(path: &str) -> bool {
    IGNORED.iter().any(|known| same_path(known, path))
}

/// The present key of an old flat spelling.
pub(crate) fn renamed(path: &str) -> Option<String> {
    let flat = path.strip_prefix("memory.pipelineV2.")?;
    let (_, now) = RENAMED.iter().find(|(old, _)| super::spelling::same(old, flat))?;
    Some(format!("memory.pipelineV2.{now}"))
}

/// Whether some legacy path lies below `path`, so that its mapping is walked and not refused.
pub(crate) fn has_children(path: &str) -> bool {
    let below = format!("{path}.");
    RETIRED
        .iter()
        .map(|(known, _)| *known)
        .chain(IGNORED.iter().copied())
        .any(|known| known.starts_with(&below))
}

fn same_path(known: &str, written: &str) -> bool {
    let mut written = written.split('.');
    let fits =
        known.split('.').all(|part| written.next().is_some_and(|word| super::spelling::same(part, word)));
    fits && written.next().is_none()
}

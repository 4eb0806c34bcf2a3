//! Keys that this build checks and does not read: their features are not in it yet.
//!
//! A file that sets them loads, so that it needs no change when the feature comes. A test compares this
//! list with what the settings take: a key is read or stands here.

use super::key::Key;

/// What the generated references say about such a key.
pub(crate) const MARK: &str = "without effect in this build";

/// Keys and whole sections, by canonical path.
const IDLE: &[&str] = &[
    // Notes of the file about itself.
    "version",
    "schema",
    "configVersion",
    "agent",
    // There is one place for the database.
    "memory.database",
    "harnesses",
    "mcp",
    "hooks",
    "inference",
    "embedding.costRates",
    "search.top_k",
    "recall.turns",
    "recall.residentIndexMaxMb",
    "memory.dreaming",
    "memory.pipelineV2.enabled",
    "memory.pipelineV2.paused",
    "memory.pipelineV2.shadowMode",
    "memory.pipelineV2.worker",
    "memory.pipelineV2.graph",
    "memory.pipelineV2.traversal",
    "memory.pipelineV2.reranker.topN",
    "memory.pipelineV2.reranker.timeoutMs",
    "memory.pipelineV2.reranker.modelDir",
    "memory.pipelineV2.dampening.hub",
    "memory.pipelineV2.autonomous",
    "memory.pipelineV2.repair",
    "memory.pipelineV2.documents",
    "memory.pipelineV2.guardrails.contextBudgetChars",
    "memory.pipelineV2.continuity",
    "memory.pipelineV2.subagents",
    "memory.pipelineV2.hints",
    "memory.pipelineV2.feedback",
    "memory.pipelineV2.telemetryEnabled",
    "memory.pipelineV2.telemetry",
    "memory.pipelineV2.transcripts",
];

/// Whether nothing in this build reads what stands at the path.
pub(crate) fn is_idle(path: &str) -> bool {
    IDLE.iter()
        .any(|idle| path.strip_prefix(idle).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

impl Key {
    /// Whether something in this build reads the key.
    pub(crate) fn has_effect(&self) -> bool {
        !is_idle(self.path)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::config::{Settings, load, section};

    /// The settings take it, for the sake of setup, which writes it; no feature shows it yet.
    const ONLY_WRITTEN: &str = "agent.name";

    /// Whether the settings take the key: a value that suits no field makes them fail then.
    fn is_taken(path: &str) -> bool {
        let mut values = load::defaults();
        values.get_mut(path).unwrap().value = json!({ "not": ["a", "value"] });
        serde_json::from_value::<Settings>(load::tree(&values)).is_err()
    }

    #[test]
    fn a_key_is_read_or_marked() {
        let keys = section::keys().filter(|key| !key.is_pattern() && key.path != ONLY_WRITTEN);
        let (taken, idle): (BTreeSet<&str>, BTreeSet<&str>) =
            keys.map(|key| key.path).partition(|path| is_taken(path));
        let unread: Vec<_> = idle.iter().filter(|path| !is_idle(path)).collect();
        assert!(unread.is_empty(), "nothing reads these keys, and they are not marked: {unread:?}");
        let wrong: Vec<_> = taken.iter().filter(|path| is_idle(path)).collect();
        assert!(wrong.is_empty(), "the settings take these keys, though they are marked: {wrong:?}");
        assert!(taken.contains("network.port") && idle.contains("mcp.enabled"));
    }

    #[test]
    fn keys_with_names_of_the_user_are_marked_by_section() {
        let read: BTreeSet<&str> =
            section::keys().filter(|key| key.is_pattern() && key.has_effect()).map(|key| key.path).collect();
        assert_eq!(read, BTreeSet::from(["auth.rateLimits.*.max", "auth.rateLimits.*.windowMs"]));
    }

    #[test]
    fn every_mark_names_a_key_or_a_section() {
        for idle in IDLE {
            let hit = |key: &Key| key.path == *idle || key.path.starts_with(&format!("{idle}."));
            assert!(section::keys().any(hit), "{idle}");
        }
        assert!(!is_idle("memory.pipelineV2.reranker.enabled") && !is_idle("schemas"));
    }
}

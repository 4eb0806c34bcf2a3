//! `hooks`: what is put in front of an agent, and how much of it.

use super::super::key::{Key, Kind, key};

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key("hooks.sessionStart.enabled", Kind::Flag, "true", "Answer at session start."),
    key(
        "hooks.sessionStart.maxInjectTokens",
        Kind::Int(0, 100_000),
        "12000",
        "Most tokens injected at session start.",
    ),
    key(
        "hooks.sessionStart.recallLimit",
        Kind::Int(0, 200),
        "50",
        "Most memories injected at session start.",
    ),
    key("hooks.sessionStart.candidatePoolLimit", Kind::Int(1, 1000), "100", "Memories they are chosen from."),
    key("hooks.sessionStart.includeIdentity", Kind::Flag, "true", "Inject the identity files."),
    key("hooks.sessionStart.includeRecentContext", Kind::Flag, "true", "Inject what happened lately."),
    key("hooks.sessionStart.recencyBias", Kind::Number(0.0, 1.0), "0.7", "Weight of recent memories."),
    key("hooks.userPromptSubmit.enabled", Kind::Flag, "true", "Answer at each prompt."),
    key("hooks.userPromptSubmit.recallLimit", Kind::Int(0, 200), "10", "Most memories injected at a prompt."),
    key(
        "hooks.userPromptSubmit.maxInjectChars",
        Kind::Int(0, 20_000),
        "500",
        "Most characters injected at a prompt.",
    ),
    key(
        "hooks.userPromptSubmit.minScore",
        Kind::Number(0.0, 1.0),
        "0.8",
        "Least score of an injected memory.",
    ),
    key("hooks.userPromptSubmit.includeClock", Kind::Flag, "false", "Tell the time at each prompt."),
    key("hooks.preCompaction.summaryGuidelines", Kind::Text, "null", "Text for the harness's summary."),
    key(
        "hooks.preCompaction.includeRecentMemories",
        Kind::Flag,
        "true",
        "Name recent memories before compaction.",
    ),
    key("hooks.preCompaction.memoryLimit", Kind::Int(0, 50), "5", "Most memories named before compaction."),
    key("hooks.preCompaction.maxSummaryChars", Kind::Int(0, 1_000_000), "null", "Longest summary asked for."),
    key("hooks.offlineIdentity", Kind::Flag, "false", "Inject the identity files when the daemon is down."),
    key("hooks.contextProfiles", Kind::Open, "null", "Which identity files a profile injects."),
    key("hooks.harnessProfiles", Kind::Open, "null", "Which profile a harness gets."),
    key("hooks.defaultContextProfile", Kind::Text, "null", "Profile of a harness that names none."),
];

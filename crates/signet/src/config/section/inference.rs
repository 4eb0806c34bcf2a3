//! `inference`: models of the user's choice. Nothing is configured and nothing is called by default.

use super::super::check::Findings;
use super::super::key::{Key, Kind, key};

const PRIVACY: Kind = Kind::Word(&["local_only", "restricted_remote", "remote_ok"]);
const REASONING: Kind = Kind::Word(&["off", "low", "medium", "high"]);
const PRICE: Kind = Kind::Number(0.0, f64::INFINITY);
const COUNT: Kind = Kind::Int(0, i64::MAX);

/// Jobs that a model can be bound to.
const WORKLOADS: &[&str] = &["dreaming", "memoryExtraction", "hints", "aggregateRecall", "rerank", "default"];

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key(
        "inference.accounts.*.provider",
        Kind::Word(&["anthropic", "openai", "ollama", "command"]),
        "null",
        "Kind of the account.",
    ),
    key("inference.accounts.*.apiKey", Kind::Secret, "null", "Its key."),
    key("inference.accounts.*.baseUrl", Kind::Url, "null", "Its address."),
    key("inference.accounts.*.command", Kind::Texts, "null", "Program and arguments of a `command` account."),
    key("inference.targets.*.account", Kind::Text, "null", "Account that the target uses."),
    key("inference.targets.*.privacy", PRIVACY, "null", "Where its text may go."),
    key(
        "inference.targets.*.timeoutMs",
        Kind::Millis(1000, 1_800_000),
        "null",
        "Longest call; 120000 when absent.",
    ),
    key("inference.targets.*.concurrency", Kind::Int(1, 64), "null", "Calls at a time; 2 when absent."),
    key("inference.targets.*.models.*.model", Kind::Text, "null", "Name of the model at the provider."),
    key("inference.targets.*.models.*.contextWindow", Kind::Int(1, i64::MAX), "null", "Tokens it reads."),
    key("inference.targets.*.models.*.maxOutputTokens", Kind::Int(1, i64::MAX), "null", "Tokens it writes."),
    key("inference.targets.*.models.*.tools", Kind::Flag, "null", "It calls tools."),
    key("inference.targets.*.models.*.reasoning", REASONING, "null", "How much it reasons."),
    key("inference.targets.*.models.*.temperature", Kind::Number(0.0, 2.0), "null", "Its temperature."),
    key("inference.targets.*.models.*.cost.input", PRICE, "null", "Price of a million tokens read."),
    key("inference.targets.*.models.*.cost.output", PRICE, "null", "Price of a million tokens written."),
    key(
        "inference.targets.*.models.*.cost.cacheRead",
        PRICE,
        "null",
        "Price of a million tokens read from the cache.",
    ),
    key(
        "inference.targets.*.models.*.cost.cacheWrite",
        PRICE,
        "null",
        "Price of a million tokens put in the cache.",
    ),
    key(
        "inference.policies.*.mode",
        Kind::Word(&["strict", "automatic", "hybrid"]),
        "null",
        "How a target of the policy is chosen.",
    ),
    key("inference.policies.*.targets", Kind::Texts, "null", "Its targets."),
    key("inference.policies.*.fallbacks", Kind::Texts, "null", "Targets when none of them can serve."),
    key("inference.taskClasses.*.privacy", PRIVACY, "null", "Privacy the class of tasks needs."),
    key("inference.taskClasses.*.minContextWindow", Kind::Int(1, i64::MAX), "null", "Context it needs."),
    key("inference.taskClasses.*.tools", Kind::Flag, "null", "It needs tools."),
    key("inference.taskClasses.*.reasoning", REASONING, "null", "Reasoning it needs."),
    key("inference.agents.*.workloads", Kind::Open, "null", "Workloads of one agent, as below."),
    key(
        "inference.workloads.*.target",
        Kind::Text,
        "null",
        "Target of the workload: `target/model` or `target`.",
    ),
    key("inference.workloads.*.policy", Kind::Text, "null", "Policy of the workload, instead of a target."),
    key("inference.workloads.*.taskClass", Kind::Text, "null", "Class of its tasks."),
    key(
        "inference.workloads.*.maxOutputTokens",
        Kind::Int(1, i64::MAX),
        "null",
        "Most tokens of one answer.",
    ),
    key("inference.workloads.*.enabled", Kind::Flag, "null", "Whether it runs; true when absent."),
    key("inference.budget.tokensPerDay", COUNT, "5000000", "Tokens a day; null = no limit.").nullable(),
    key("inference.budget.tokensPerMonth", COUNT, "50000000", "Tokens a month; null = no limit.").nullable(),
    key("inference.budget.costPerDay", PRICE, "null", "Money a day."),
    key("inference.budget.costPerMonth", PRICE, "null", "Money a month."),
    key("inference.budget.currency", Kind::Text, "\"USD\"", "Currency of the prices."),
    key("inference.budget.includeLocal", Kind::Flag, "false", "Count local targets too."),
    key("inference.budget.hard", Kind::Flag, "false", "Stop calls of the user too."),
    key(
        "inference.budget.warnAt",
        Kind::Number(0.0, 1.0),
        "0.8",
        "Share of the budget from which status warns.",
    ),
    key("inference.budget.timezone", Kind::Text, "null", "Zone whose days and months count."),
];

/// Workload names are fixed; the other names are the user's.
pub(crate) fn validate(found: &mut Findings) {
    for name in found.names_under("inference.workloads") {
        if !WORKLOADS.contains(&name.as_str()) {
            let path = format!("inference.workloads.{name}");
            found.refuse(&path, format!("`{path}` is no workload; they are {}", WORKLOADS.join(", ")));
        }
    }
}

//! The settings as typed sections: what the composition hands to the other crates.
//!
//! Defaults and ranges are in the key table; these structs only give the values names and types.
//! Sections of features that are not built yet have no struct.

use std::collections::BTreeMap;

use serde::Deserialize;

/// All settings that this build uses.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Settings {
    /// Who the agent is.
    pub(crate) agent: Agent,
    /// Credentials.
    pub(crate) auth: Auth,
    /// Addresses.
    pub(crate) network: Network,
    /// The log.
    pub(crate) logging: Logging,
    /// Vectors.
    pub(crate) embedding: Embedding,
    /// Ranking.
    pub(crate) search: Search,
    /// Candidates.
    pub(crate) recall: Recall,
    /// Memories and background work.
    pub(crate) memory: Memory,
}

/// `agent`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Agent {
    /// Name.
    pub(crate) name: Option<String>,
}

/// `auth`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Auth {
    /// local, team or hybrid.
    pub(crate) mode: String,
    /// Callers on this machine need no credential in hybrid mode.
    pub(crate) trust_loopback: bool,
    /// Seconds.
    pub(crate) default_token_ttl_seconds: u32,
    /// Seconds.
    pub(crate) session_token_ttl_seconds: u32,
    /// By operation; only those that the file names.
    #[serde(default)]
    pub(crate) rate_limits: BTreeMap<String, RateLimit>,
}

/// `auth.rateLimits.<op>`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RateLimit {
    /// Window.
    pub(crate) window_ms: Option<u64>,
    /// Calls in it.
    pub(crate) max: Option<u32>,
}

/// `network`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Network {
    /// localhost or tailscale.
    pub(crate) mode: String,
    /// Address instead of `127.0.0.1` and `::1`.
    pub(crate) bind: Option<String>,
    /// Port; 0 (from the environment only) = any free one.
    pub(crate) port: u16,
    /// Host names.
    pub(crate) allowed_hosts: Vec<String>,
    /// Web origins.
    pub(crate) allowed_origins: Vec<String>,
}

/// `logging`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Logging {
    /// error, warn, info, debug or trace.
    pub(crate) level: String,
    /// Size of a file in `MiB`.
    #[serde(rename = "maxFileMiB")]
    pub(crate) max_file_mib: u64,
    /// Closed files that are kept.
    pub(crate) max_files: usize,
    /// Folder.
    pub(crate) dir: String,
}

/// `embedding`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Embedding {
    /// Provider word as written.
    pub(crate) provider: String,
    /// Model.
    pub(crate) model: String,
    /// Length of a vector.
    pub(crate) dimensions: usize,
    /// Folder of a native model.
    pub(crate) model_dir: Option<String>,
    /// Address.
    #[serde(rename = "base_url")]
    pub(crate) base_url: Option<String>,
    /// Key, or where it is.
    #[serde(rename = "api_key")]
    pub(crate) api_key: Option<String>,
    /// Longest text in tokens.
    pub(crate) max_input_tokens: Option<usize>,
    /// Longest wait at a prompt.
    pub(crate) prompt_submit_timeout_ms: u64,
    /// The model leaves memory after; 0 = never.
    pub(crate) idle_ttl_ms: u64,
    /// Load at start.
    pub(crate) warm_native: bool,
    /// The same.
    pub(crate) preload_native: bool,
}

/// `search`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Search {
    /// Weight of meaning.
    pub(crate) alpha: f64,
    /// Least score.
    pub(crate) min_score: f64,
    /// Rows of a channel.
    pub(crate) candidates: usize,
    /// Uses count.
    pub(crate) rehearsal_enabled: bool,
    /// How much.
    pub(crate) rehearsal_weight: f64,
    /// Half-life in days.
    pub(crate) rehearsal_half_life_days: f64,
    /// Recency counts.
    pub(crate) temporal_prior_enabled: bool,
    /// How much.
    pub(crate) temporal_prior_weight: f64,
    /// Half-life in days.
    pub(crate) temporal_prior_half_life_days: f64,
}

/// `recall`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Recall {
    /// Rows of the fallback window.
    pub(crate) recent_window_rows: usize,
    /// Tier word.
    pub(crate) vector_tier: String,
}

/// `memory`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Memory {
    /// Projects.
    pub(crate) project: Project,
    /// Background work.
    pub(crate) pipeline_v2: Pipeline,
}

/// `memory.project`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Project {
    /// A worktree counts as its main repository.
    pub(crate) follow_worktrees: bool,
}

/// `memory.pipelineV2`, as far as it is used.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pipeline {
    /// Every write is refused.
    pub(crate) mutations_frozen: bool,
    /// Lengths.
    pub(crate) guardrails: Guardrails,
    /// Vectors in the background.
    pub(crate) embedding_tracker: EmbeddingTracker,
    /// Dampening of results.
    pub(crate) dampening: Dampening,
    /// Order of the best.
    pub(crate) reranker: Reranker,
}

/// `guardrails`.
#[expect(clippy::struct_field_names, reason = "the names of the keys")]
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Guardrails {
    /// Longer texts are split.
    pub(crate) max_content_chars: usize,
    /// Characters of a part.
    pub(crate) chunk_target_chars: usize,
    /// A result is cut after.
    pub(crate) recall_truncate_chars: usize,
}

/// `embeddingTracker`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmbeddingTracker {
    /// Runs.
    pub(crate) enabled: bool,
    /// Pause between looks.
    pub(crate) poll_ms: u64,
    /// Texts of a provider call.
    pub(crate) batch_size: usize,
}

/// `reranker`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Reranker {
    /// Runs.
    pub(crate) enabled: bool,
}

/// `dampening`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Dampening {
    /// Rows without a word of the question.
    pub(crate) gravity: bool,
    /// Precise rows first.
    pub(crate) resolution: bool,
}

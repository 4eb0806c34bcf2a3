//! Answers of the API, as far as a person is shown them. Unknown fields are left in the JSON beside.

use serde::Deserialize;
use serde_json::{Map, Value};

/// `POST /api/memory/remember`.
#[expect(clippy::struct_excessive_bools, reason = "the fields of the answer, one to one")]
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct RememberAnswer {
    /// Id of the row; empty when the text was split.
    pub id: String,
    /// The row was there before.
    pub deduped: bool,
    /// The source id was known with another text, which was kept.
    #[serde(rename = "contentDiffers")]
    pub content_differs: bool,
    /// What to do about it.
    pub hint: Option<String>,
    /// The vector is stored.
    pub embedded: bool,
    /// The text was split.
    pub chunked: bool,
    /// Into so many parts.
    pub chunk_count: u64,
    /// Their ids.
    pub ids: Vec<String>,
    /// What was seen in the text.
    #[serde(rename = "contentSafety")]
    pub content_safety: Option<ContentSafety>,
    /// Id of their group.
    pub group_id: Option<String>,
    /// Parts that were there before.
    pub deduped_ids: Vec<String>,
}

/// What was seen in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct ContentSafety {
    /// Recall may hand it to an agent.
    pub context_eligible: bool,
}

/// `POST /api/memory/recall`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct RecallAnswer {
    /// Best first.
    pub results: Vec<RecallHit>,
    /// hybrid, keyword or none.
    pub method: String,
    /// How it went.
    pub meta: RecallMeta,
    /// Stages and channels, when asked for.
    pub explain: Option<Value>,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct RecallHit {
    /// Id.
    pub id: String,
    /// Text, cut by the daemon when long.
    pub content: String,
    /// The text was cut.
    pub truncated: bool,
    /// 0 to 1.
    pub score: f64,
    /// Channel that brought it, or `hybrid`.
    pub source: String,
    /// Type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Comma-joined.
    pub tags: Option<String>,
    /// Pinned.
    pub pinned: bool,
    /// Author.
    pub who: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// RFC 3339.
    pub created_at: Option<String>,
    /// Values by channel.
    pub evidence: Map<String, Value>,
}

/// How a recall went.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RecallMeta {
    /// Times.
    pub timings: Value,
    /// First degradation.
    pub degradation: Option<String>,
    /// All of them.
    pub degradations: Vec<String>,
    /// complete, recent-window or unavailable.
    pub vector_completeness: Option<String>,
    /// Rows of the window.
    pub searched_window: Option<u64>,
}

/// `GET /api/memories`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct MemoriesAnswer {
    /// Rows of the page.
    pub memories: Vec<MemoryRow>,
    /// There are more.
    #[serde(rename = "hasMore")]
    pub has_more: bool,
}

/// A memory in row form.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct MemoryRow {
    /// Id.
    pub id: String,
    /// Text.
    pub content: String,
    /// Type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Comma-joined.
    pub tags: Option<String>,
    /// Importance.
    pub importance: f64,
    /// 0 or 1.
    pub pinned: Value,
    /// Author.
    pub who: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// RFC 3339.
    pub created_at: Option<String>,
    /// Version.
    pub version: i64,
}

/// `GET /api/memory/:id/history`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct HistoryAnswer {
    /// Oldest first.
    pub history: Vec<HistoryEntry>,
}

/// One event of a memory.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HistoryEntry {
    /// created, updated, deleted, …
    pub event: String,
    /// Text before.
    pub old_content: Option<String>,
    /// Text after.
    pub new_content: Option<String>,
    /// Who.
    pub changed_by: Option<String>,
    /// Trust class.
    pub actor_type: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// RFC 3339.
    pub created_at: Option<String>,
}

/// `GET /memory/similar`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct SimilarAnswer {
    /// Nearest first.
    pub results: Vec<SimilarRow>,
}

/// One near memory.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct SimilarRow {
    /// Id.
    pub id: String,
    /// Text.
    pub content: String,
    /// Cosine.
    pub score: f64,
    /// Type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// `GET /api/agents`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct AgentsAnswer {
    /// All agents.
    pub agents: Vec<AgentRow>,
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct AgentRow {
    /// Id.
    pub id: String,
    /// Name.
    pub name: Option<String>,
    /// isolated, shared or group.
    pub read_policy: Option<String>,
    /// Group.
    pub policy_group: Option<String>,
    /// RFC 3339.
    pub created_at: Option<String>,
}

//! Memories as they stand in answers.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use signet_model::memory::outcome::ContentSafety;
use signet_store::evidence::memory::list::Listed;

/// What the safety scan found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct SafetyVerdict {
    /// `clean`, `tainted`, `blocked`; `unknown` before the first scan.
    status: String,
    /// Whether the text may enter a prompt.
    context_eligible: bool,
    /// Reasons.
    reasons: Vec<String>,
}

impl From<Option<ContentSafety>> for SafetyVerdict {
    fn from(safety: Option<ContentSafety>) -> Self {
        match safety {
            Some(ContentSafety { status, context_eligible, reasons }) => {
                Self { status, context_eligible, reasons }
            }
            None => Self { status: "unknown".to_owned(), context_eligible: false, reasons: Vec::new() },
        }
    }
}

/// A whole row. Names of several words stand in the answer in camelCase too.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct StoredRow {
    id: String,
    content: String,
    #[serde(rename = "type")]
    kind: String,
    importance: f64,
    /// Comma-joined, or null.
    tags: Option<String>,
    /// 0 or 1.
    pinned: u8,
    who: Option<String>,
    source_id: Option<String>,
    source_type: String,
    source_path: Option<String>,
    project: Option<String>,
    scope: Option<String>,
    visibility: &'static str,
    agent_id: String,
    session_id: Option<String>,
    session_key: Option<String>,
    confidence: f64,
    access_count: i64,
    last_accessed: Option<String>,
    /// 0 or 1.
    is_deleted: u8,
    deleted_at: Option<String>,
    extraction_status: String,
    embedding_model: Option<String>,
    version: i64,
    created_at: String,
    updated_at: String,
    updated_by: String,
    runtime_path: Option<String>,
    idempotency_key: Option<String>,
    group_id: Option<String>,
    group_index: Option<i64>,
    group_count: Option<i64>,
    occurred_at: Option<String>,
    observed_at: Option<String>,
    source_created_at: Option<String>,
    valid_from: Option<String>,
    valid_until: Option<String>,
    review_after: Option<String>,
    superseded_by: Option<String>,
    stale_at: Option<String>,
    memory_kind: String,
    #[serde(rename = "contentSafety")]
    content_safety: SafetyVerdict,
}

impl From<Listed> for StoredRow {
    fn from(Listed { row, safety }: Listed) -> Self {
        Self {
            id: row.id.to_string(),
            kind: row.kind,
            content: row.content,
            importance: row.importance,
            tags: filled(row.tags),
            pinned: row.pinned.into(),
            who: row.who,
            source_id: filled(row.source_id),
            source_type: row.source_type,
            source_path: row.source_path,
            project: filled(row.place.project),
            scope: filled(row.place.scope),
            visibility: row.place.visibility.as_str(),
            agent_id: row.agent.to_string(),
            session_id: row.session_id,
            session_key: row.session_key,
            confidence: row.confidence,
            access_count: row.access_count,
            last_accessed: row.last_accessed,
            is_deleted: row.deleted.into(),
            deleted_at: row.deleted_at,
            extraction_status: row.extraction_status,
            embedding_model: row.embedding_model,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
            updated_by: row.updated_by,
            runtime_path: row.runtime_path,
            idempotency_key: row.idempotency_key,
            group_id: row.group_id,
            group_index: row.group_index,
            group_count: row.group_count,
            occurred_at: row.occurred_at,
            observed_at: row.observed_at,
            source_created_at: row.source_created_at,
            valid_from: row.valid_from,
            valid_until: row.valid_until,
            review_after: row.review_after,
            superseded_by: row.superseded_by.map(|id| id.to_string()),
            stale_at: row.stale_at,
            memory_kind: row.memory_kind,
            content_safety: safety.into(),
        }
    }
}

/// A row of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ListedMemory {
    id: String,
    content: String,
    created_at: String,
    updated_at: String,
    who: Option<String>,
    importance: f64,
    /// Comma-joined, or null.
    tags: Option<String>,
    source_type: String,
    /// 0 or 1.
    pinned: u8,
    #[serde(rename = "type")]
    kind: String,
    project: Option<String>,
    version: i64,
    access_count: i64,
    review_after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_at: Option<String>,
    #[serde(rename = "contentSafety")]
    content_safety: SafetyVerdict,
}

impl From<Listed> for ListedMemory {
    fn from(Listed { row, safety }: Listed) -> Self {
        Self {
            id: row.id.to_string(),
            content: row.content,
            created_at: row.created_at,
            updated_at: row.updated_at,
            who: row.who,
            importance: row.importance,
            tags: filled(row.tags),
            source_type: row.source_type,
            pinned: row.pinned.into(),
            kind: row.kind,
            project: filled(row.place.project),
            version: row.version,
            access_count: row.access_count,
            review_after: row.review_after,
            deleted_at: row.deleted_at,
            content_safety: safety.into(),
        }
    }
}

/// Empty text is null in answers.
pub(super) fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The object with a `camelCase` twin for each `snake_case` name.
pub(super) fn with_twins(value: Value) -> Value {
    let Value::Object(object) = value else { return value };
    let mut twins = Map::new();
    for (name, value) in &object {
        let twin = camel(name);
        if twin != *name {
            twins.insert(twin, value.clone());
        }
    }
    Value::Object(object.into_iter().chain(twins).collect())
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut joined, word| {
        let mut letters = word.chars();
        joined.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        joined.push_str(letters.as_str());
        joined
    })
}

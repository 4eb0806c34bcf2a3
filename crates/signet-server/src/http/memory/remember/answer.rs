//! The answer of a remember call.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Code;
use signet_model::memory::outcome::{Deduped, Remembered, RememberedGroup, RememberedOne};

use crate::http::memory::wire::SafetyVerdict;

/// What the call said that the stored row does not show.
#[derive(Debug, Clone, Default)]
pub(in crate::http::memory) struct Told {
    /// Zone in which zone-less times were read.
    pub(super) assumed_zone: Option<String>,
    /// Entities and aspects of the structured payload; `None` without a payload.
    pub(super) structured: Option<usize>,
}

/// One row, or the rows of a long text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::http::memory) enum RememberAnswer {
    /// One row.
    One(Box<StoredMemory>),
    /// A long text.
    Group(StoredGroup),
}

/// The row that holds the text now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of the answer")]
pub(in crate::http::memory) struct StoredMemory {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    /// Comma-joined, or null.
    tags: Option<String>,
    pinned: bool,
    importance: f64,
    content: String,
    /// The vector is stored; false right after a write is normal.
    embedded: bool,
    /// Mention rows made. Always 0 in this build.
    entities_linked: usize,
    /// Hint rows made.
    hints_written: usize,
    /// A structured payload was sent; it is kept with the memory.
    structured: bool,
    /// Always false in this build, which does not apply entities and aspects.
    structured_applied: bool,
    /// Only with a structured payload: what became of its items. This build applies none.
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_result: Option<StructuredResult>,
    /// Id of the replaced memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded: Option<String>,
    #[serde(rename = "contentSafety")]
    content_safety: SafetyVerdict,
    /// Zone in which times without one were read.
    #[serde(rename = "assumedTimezone", skip_serializing_if = "Option::is_none")]
    assumed_timezone: Option<String>,
    /// Fields in which something unreadable was replaced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired: Vec<String>,
    /// The row was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    deduped: Option<bool>,
    /// The source id is known with another text; nothing was stored.
    #[serde(rename = "contentDiffers", skip_serializing_if = "Option::is_none")]
    content_differs: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(in crate::http::memory) struct StructuredResult {
    applied: usize,
    failed: Vec<StructuredFailure>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(in crate::http::memory) struct StructuredFailure {
    index: usize,
    code: &'static str,
    error: &'static str,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(in crate::http::memory) struct StoredGroup {
    chunked: bool,
    chunk_count: usize,
    ids: Vec<String>,
    group_id: String,
    /// All ids when the whole text was known, else none.
    deduped_ids: Vec<String>,
    hints_written: usize,
    #[serde(rename = "assumedTimezone", skip_serializing_if = "Option::is_none")]
    assumed_timezone: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deduped: Option<bool>,
}

impl RememberAnswer {
    pub(in crate::http::memory) fn of(stored: Remembered, told: &Told, embedded: bool) -> Self {
        match stored {
            Remembered::One(one) => Self::One(Box::new(StoredMemory::of(*one, told, embedded))),
            Remembered::Group(group) => Self::Group(StoredGroup::of(group, told)),
        }
    }
}

impl StoredMemory {
    fn of(one: RememberedOne, told: &Told, embedded: bool) -> Self {
        let differs = one.deduped == Some(Deduped::OtherText);
        let hint = format!("pass supersedes with {} to replace it, or another sourceId", one.id);
        Self {
            id: one.id.to_string(),
            kind: one.kind,
            tags: (!one.tags.is_empty()).then(|| one.tags.join(",")),
            pinned: one.pinned,
            importance: one.importance,
            content: one.content,
            embedded,
            entities_linked: 0,
            hints_written: one.hints_written,
            structured: told.structured.is_some(),
            structured_applied: false,
            structured_result: told.structured.map(StructuredResult::unsupported),
            superseded: one.superseded.map(|id| id.to_string()),
            content_safety: one.safety.into(),
            assumed_timezone: told.assumed_zone.clone(),
            repaired: one.repaired,
            deduped: one.deduped.map(|_| true),
            content_differs: differs.then_some(true),
            hint: differs.then_some(hint),
        }
    }
}

impl StructuredResult {
    /// This build keeps the payload and says of each item that it was not applied.
    fn unsupported(items: usize) -> Self {
        let failed = (0..items).map(|index| StructuredFailure {
            index,
            code: Code::Unsupported.as_str(),
            error: "kept with the memory, but this build does not apply entities and aspects",
        });
        Self { applied: 0, failed: failed.collect() }
    }
}

impl StoredGroup {
    fn of(group: RememberedGroup, told: &Told) -> Self {
        let ids: Vec<String> = group.ids.iter().map(ToString::to_string).collect();
        Self {
            chunked: true,
            chunk_count: ids.len(),
            deduped_ids: if group.deduped { ids.clone() } else { Vec::new() },
            ids,
            group_id: group.group,
            hints_written: group.hints_written,
            assumed_timezone: told.assumed_zone.clone(),
            repaired: group.repaired,
            deduped: group.deduped.then_some(true),
        }
    }
}

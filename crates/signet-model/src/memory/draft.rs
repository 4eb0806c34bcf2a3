//! What a caller wants remembered, field by field, as a surface checked it.

use crate::memory::Visibility;
use crate::{MemoryId, Timestamp};

/// A memory to be stored. `None` means that the caller said nothing; the rules fill it in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The text as sent.
    pub content: String,
    /// Author; `daemon` when absent.
    pub who: Option<String>,
    /// Type; inferred when absent.
    pub kind: Option<String>,
    /// 0..=1; 0.8 when absent.
    pub importance: Option<f64>,
    /// Tags, without commas.
    pub tags: Option<Vec<String>>,
    /// Exempt from decay, and only a person with `force` removes it.
    pub pinned: Option<bool>,
    /// Where it belongs.
    pub place: Place,
    /// Where it comes from.
    pub source: Source,
    /// Its times.
    pub times: Times,
    /// Key under which a repeat of the call finds the first row.
    pub idempotency_key: Option<String>,
    /// `plugin` or `legacy`.
    pub runtime_path: Option<String>,
    /// Session key.
    pub session_key: Option<String>,
    /// Session id.
    pub session_id: Option<String>,
    /// The row that this one replaces.
    pub supersedes: Option<MemoryId>,
    /// Why, for the history.
    pub reason: Option<String>,
    /// Questions the text answers.
    pub hints: Vec<String>,
    /// JSON object the caller keeps beside the text.
    pub metadata: Option<String>,
    /// JSON object with entities, aspects and hints as sent.
    pub structured: Option<String>,
    /// Names of fields that a surface had to repair already.
    pub repaired: Vec<&'static str>,
}

/// Project, scope and visibility: with the agent they bound what counts as the same memory: equal texts in two places are two memories.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Normalised project; empty = none.
    pub project: String,
    /// Named scope; empty = ordinary.
    pub scope: String,
    /// Who may read it.
    pub visibility: Visibility,
}

/// Origin of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// Source type; `manual` when absent.
    pub kind: Option<String>,
    /// Id inside the source; unique per place among ordinary memories.
    pub id: Option<String>,
    /// Path or address.
    pub path: Option<String>,
}

/// The times of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// When it was said; now when absent.
    pub created_at: Option<Timestamp>,
    /// When it happened.
    pub occurred_at: Option<Timestamp>,
    /// When it was observed.
    pub observed_at: Option<Timestamp>,
    /// When its source was made.
    pub source_created_at: Option<Timestamp>,
    /// Holds from.
    pub valid_from: Option<Timestamp>,
    /// Holds until.
    pub valid_until: Option<Timestamp>,
    /// To be looked at again.
    pub review_after: Option<Timestamp>,
    /// Zone in which zone-less texts were read; `None` when every text named one.
    pub assumed_zone: Option<String>,
    /// Field names that were sent as a bare date.
    pub day_precision: Vec<&'static str>,
}

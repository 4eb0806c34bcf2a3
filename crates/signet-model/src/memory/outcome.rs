//! What came of a call on memories.

use crate::memory::Visibility;
use crate::safety::Verdict;
use crate::{Code, Detail, Error, MemoryId, Timestamp};

/// What remembering stored or found.
#[derive(Debug, Clone, PartialEq)]
pub enum Remembered {
    /// One row.
    One(Box<RememberedOne>),
    /// A long text in several rows.
    Group(RememberedGroup),
}

/// The row that holds the text now.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedOne {
    /// Its id.
    pub id: MemoryId,
    /// Its type.
    pub kind: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Whether it is pinned.
    pub pinned: bool,
    /// Its importance.
    pub importance: f64,
    /// Its text.
    pub content: String,
    /// Its visibility.
    pub visibility: Visibility,
    /// Whether a vector of the active profile is stored.
    pub embedded: bool,
    /// Hints added by this call.
    pub hints_written: usize,
    /// The row that it replaced.
    pub superseded: Option<MemoryId>,
    /// What the safety scan found; `None` when the stored row was not scanned yet.
    pub safety: Option<ContentSafety>,
    /// Fields that were repaired.
    pub repaired: Vec<String>,
    /// The row was there before.
    pub deduped: Option<Deduped>,
}

/// The stored verdict over a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentSafety {
    /// `clean`, `tainted` or `blocked`.
    pub status: String,
    /// Whether the text may enter a prompt.
    pub context_eligible: bool,
    /// Reasons in catalogue order.
    pub reasons: Vec<String>,
}

impl From<&Verdict> for ContentSafety {
    fn from(verdict: &Verdict) -> Self {
        Self {
            status: verdict.status.as_str().to_owned(),
            context_eligible: verdict.context_eligible(),
            reasons: verdict.reasons.iter().map(|reason| (*reason).to_owned()).collect(),
        }
    }
}

/// How a repeat was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deduped {
    /// The stored text equals the one sent.
    SameText,
    /// The source id is known, and its text differs: nothing was stored.
    OtherText,
}

/// The rows of a long text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedGroup {
    /// Id of the group.
    pub group: String,
    /// Its rows in order.
    pub ids: Vec<MemoryId>,
    /// The whole text was there before.
    pub deduped: bool,
    /// Hints added by this call.
    pub hints_written: usize,
    /// Fields that were repaired.
    pub repaired: Vec<String>,
}

/// Version of a row before and after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Versions {
    /// Before.
    pub current: i64,
    /// After; equal when nothing changed.
    pub new: i64,
}

/// An edit that went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// Row.
    pub id: MemoryId,
    /// Versions; equal when every wanted value stood there already.
    pub versions: Versions,
    /// The text changed.
    pub content_changed: bool,
    /// Whether a vector of the present text is stored.
    pub embedded: bool,
    /// Fields that were repaired.
    pub repaired: Vec<String>,
}

/// A forget that went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// Row.
    pub id: MemoryId,
    /// Versions.
    pub versions: Versions,
    /// Until when a person may take it back.
    pub recoverable_until: Timestamp,
}

/// A recover that went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Row.
    pub id: MemoryId,
    /// Versions.
    pub versions: Versions,
}

/// A supersede that went through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Superseded {
    /// Row that was replaced.
    pub id: MemoryId,
    /// Row that replaces it.
    pub by: MemoryId,
    /// Versions of the replaced row.
    pub versions: Versions,
}

/// A refusal for one row: its body names the row, the code as `status`, and the row's version.
pub fn refusal(code: Code, sentence: &str, id: &MemoryId, version: Option<i64>) -> Error {
    let mut error = Error::new(code, sentence)
        .with("id", Detail::Text(id.as_str().to_owned()))
        .with("status", Detail::Text(code.as_str().to_owned()));
    if let Some(version) = version {
        error = error.with("currentVersion", Detail::Number(version));
    }
    error
}

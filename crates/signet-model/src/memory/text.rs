//! One text in all the forms that a memory row holds of it.

use crate::safety::{self, Verdict};
use crate::text::{normal, search};

/// A text ready to be stored. Made before the write closure, so that no scan runs inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// As stored: line ends are LF.
    pub content: String,
    /// What the index sees; `None` when it equals `content`.
    pub search: Option<String>,
    /// The normalised form.
    pub normalized: String,
    /// Content hash, lower-case hex.
    pub hash: String,
    /// What the safety scan found.
    pub verdict: Verdict,
}

impl Text {
    /// All forms of a text that is in storage form already.
    pub fn of(content: String) -> Self {
        Self {
            search: search::prepare(&content),
            normalized: normal::normalized(&content),
            hash: normal::content_hash(&content),
            verdict: safety::scan(&content),
            content,
        }
    }
}

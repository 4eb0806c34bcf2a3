//! Recall: what is asked and what comes back.

pub mod explain;
pub mod outcome;
pub mod request;

pub use explain::{ChannelReport, Dropped, Explain, Reason, Stage, Target};
pub use outcome::{
    Completeness, Degradation, Evidence, Hit, Meta, Method, Origin, Outcome, Recalled, StageTime,
};
pub use request::{Channels, Credentials, ItemKind, Request};

use crate::Timestamp;
use crate::safety::SafetyStatus;

/// Who reads the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// A model: only texts that are clean.
    #[default]
    Prompt,
    /// A person: texts whose only fault is invisible characters too.
    Person,
}

impl Audience {
    /// Whether a text so judged may be in the answer.
    pub const fn admits(self, status: SafetyStatus) -> bool {
        match (self, status) {
            (_, SafetyStatus::Clean) | (Self::Person, SafetyStatus::Tainted) => true,
            (Self::Prompt, SafetyStatus::Tainted) | (_, SafetyStatus::Blocked) => false,
        }
    }
}

/// Filters of a recall. All of them are applied inside every channel before its best rows are cut, so a filter never hides what exists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filters {
    /// Exact project.
    pub project: Option<String>,
    /// Exact type.
    pub kind: Option<String>,
    /// Every one of these tags.
    pub tags: Vec<String>,
    /// Exact author.
    pub who: Option<String>,
    /// Pinned or not.
    pub pinned: Option<bool>,
    /// At least this importance.
    pub importance_min: Option<f64>,
    /// `created_at` at or after.
    pub since: Option<Timestamp>,
    /// `created_at` before.
    pub until: Option<Timestamp>,
    /// `Some("")`: ordinary rows only; a word: exactly that scope; `None`: any.
    pub scope: Option<String>,
    /// Exact source type (batch forget and lists; not a recall field).
    pub source_type: Option<String>,
    /// Who reads the answer. Narrows nothing that a person asked for.
    pub audience: Audience,
}

impl Filters {
    /// Whether nothing is filtered.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }

    /// Whether anything is filtered beyond the text scope of ordinary rows, which most rows have.
    pub fn narrows(&self) -> bool {
        let ordinary = self.scope.as_deref().is_none_or(str::is_empty);
        !ordinary || !Self { scope: None, audience: Audience::Prompt, ..self.clone() }.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Filters;

    #[test]
    fn the_ordinary_scope_narrows_nothing() {
        let scoped = |scope: &str| Filters { scope: Some(scope.to_owned()), ..Filters::default() };
        assert!(!Filters::default().narrows());
        assert!(!scoped("").narrows());
        assert!(scoped("draft").narrows());
        assert!(Filters { pinned: Some(true), ..scoped("") }.narrows());
    }
}

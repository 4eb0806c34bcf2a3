//! What a recall answers.

use std::time::Duration;

use super::Explain;
use crate::memory::Visibility;
use crate::{AgentId, MemoryId, Timestamp};

/// The answer of one recall.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Results, best first.
    pub hits: Vec<Hit>,
    /// What really ran.
    pub method: Method,
    /// How complete the answer is, and what it cost.
    pub meta: Meta,
    /// Only when asked for.
    pub explain: Option<Explain>,
}

/// Which channels ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Text and vectors.
    Hybrid,
    /// Text only.
    Keyword,
    /// No channel could.
    None,
}

impl Method {
    /// The word of the method.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Keyword => "keyword",
            Self::None => "none",
        }
    }
}

/// Which channel decided a result's base value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Text and vector.
    Hybrid,
    /// Vector alone.
    Vector,
    /// Text alone.
    Keyword,
    /// A hint.
    Hint,
}

impl Origin {
    /// The word of the origin.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Vector => "vector",
            Self::Keyword => "keyword",
            Self::Hint => "hint",
        }
    }
}

/// One result.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The row.
    pub memory: Recalled,
    /// Absolute value, 0 to 1, two decimals. Never depends on the other results.
    pub score: f64,
    /// What decided the base value.
    pub origin: Origin,
    /// Value per channel.
    pub evidence: Evidence,
    /// Shares of the order value and rules that changed the score; only under explain.
    pub shares: Vec<(&'static str, f64)>,
    /// Rule, value before, value after; only under explain.
    pub rules: Vec<(&'static str, f64, f64)>,
}

/// A memory as recall returns it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// Owner.
    pub agent: AgentId,
    /// Id.
    pub id: MemoryId,
    /// Text, cut to the limit of the answer at a grapheme.
    pub content: String,
    /// Characters of the whole text.
    pub content_length: usize,
    /// The text was cut.
    pub truncated: bool,
    /// Type.
    pub kind: String,
    /// Comma list.
    pub tags: String,
    /// Pinned.
    pub pinned: bool,
    /// 0 to 1.
    pub importance: f64,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Author.
    pub who: Option<String>,
    /// Project; empty = none.
    pub project: String,
    /// Text scope; empty = ordinary.
    pub scope: String,
    /// Visibility.
    pub visibility: Visibility,
    /// Kind of source.
    pub source_type: String,
    /// Id at the source; empty = none.
    pub source_id: String,
    /// Path at the source.
    pub source_path: Option<String>,
    /// Session.
    pub session_id: Option<String>,
    /// Made at.
    pub created_at: Timestamp,
    /// When it happened.
    pub occurred_at: Option<String>,
    /// When it was seen.
    pub observed_at: Option<String>,
    /// Valid from.
    pub valid_from: Option<String>,
    /// Valid until.
    pub valid_until: Option<String>,
}

/// Values of the channels that found a result; 0 = not found by it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// Text.
    pub lexical: f64,
    /// Vector.
    pub semantic: f64,
    /// Hint.
    pub hint: f64,
}

/// How much of the vectors was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// All of them.
    Complete,
    /// The newest this many; older eligible ones were left out.
    RecentWindow(usize),
    /// None.
    Unavailable,
}

impl Completeness {
    /// The word of the answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::RecentWindow(_) => "recent-window",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Why an answer is less than it could be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degradation {
    /// The text index is incomplete or failed; the newest rows were searched by substring.
    FtsIncomplete,
    /// The query could not be embedded in time.
    EmbeddingUnavailable,
    /// The query's vector space is not the store's.
    ProfileMismatch,
}

impl Degradation {
    /// The word of the answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FtsIncomplete => "fts_incomplete",
            Self::EmbeddingUnavailable => "embedding_unavailable",
            Self::ProfileMismatch => "profile_mismatch",
        }
    }
}

/// Time of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTime {
    /// Stage.
    pub name: &'static str,
    /// Time taken.
    pub took: Duration,
}

/// Facts about the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Meta {
    /// Whole time.
    pub total: Duration,
    /// Time per stage.
    pub stages: Vec<StageTime>,
    /// Everything that is less than it could be, in catalogue order.
    pub degradations: Vec<Degradation>,
    /// How much of the vectors was searched.
    pub completeness: Completeness,
    /// Texts of the reader's own agent that wait for a vector, so that only their words find them; 0 when
    /// vectors were not searched.
    pub pending_vectors: u64,
    /// The limit used.
    pub limit: usize,
}

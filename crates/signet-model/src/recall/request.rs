//! A recall as it is asked.

use super::Filters;

/// What a result can be. The foundation stores memories; the other kinds have no candidates yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A memory.
    Memory,
    /// A turn of a transcript.
    TranscriptTurn,
    /// A part of a source file.
    SourceChunk,
    /// An artifact of a session.
    Artifact,
    /// A claim.
    Claim,
}

impl ItemKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Memory, Self::TranscriptTurn, Self::SourceChunk, Self::Artifact, Self::Claim];

    /// The word of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::TranscriptTurn => "transcript_turn",
            Self::SourceChunk => "source_chunk",
            Self::Artifact => "artifact",
            Self::Claim => "claim",
        }
    }

    /// The kind of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Which channels may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channels {
    /// All that can.
    #[default]
    All,
    /// Text only: the lexical and the hint channel.
    Text,
    /// Vectors only.
    Semantic,
}

/// What becomes of credentials in the texts of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Credentials {
    /// They are shown as they were said: a person looks at the evidence.
    #[default]
    Shown,
    /// They are taken out before a text is cut: the answer goes into a prompt.
    Redacted,
}

/// One recall.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// What is asked, 1 to 8,000 characters.
    pub query: String,
    /// Text for the lexical and hint channels; `None` = the query.
    pub keyword_query: Option<String>,
    /// Most results; clamped to 1..=100 by the surface.
    pub limit: usize,
    /// Applied inside every channel.
    pub filters: Filters,
    /// Kinds of results; empty = all.
    pub kinds: Vec<ItemKind>,
    /// Strict lower bound of the shown score.
    pub min_score: Option<f64>,
    /// Channels that may answer.
    pub channels: Channels,
    /// What becomes of credentials in the texts of the answer.
    pub credentials: Credentials,
    /// Report stages and channels. Changes no result and no order.
    pub explain: bool,
    /// Also say what became of this id.
    pub explain_id: Option<String>,
}

impl Request {
    /// A recall of `query` with the default limit of 10.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), limit: 10, ..Self::default() }
    }

    /// Whether results of this kind are wanted.
    pub fn wants(&self, kind: ItemKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

//! Memories: the words of their columns, what is asked of them, and what comes of it.

pub mod change;
pub mod draft;
pub mod forget;
pub mod outcome;
pub mod prepare;
pub mod text;

pub use change::{Change, CheckedChange, Warrant};
pub use draft::{Draft, Place, Source, Times};
pub use prepare::{Guardrails, Prepared, Texts, prepare};
pub use text::Text;

/// Who may read a memory beside its own agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Visibility {
    /// Own agent, and readers whose policy admits it.
    #[default]
    Global,
    /// Own agent only.
    Private,
    /// By id only; never in recall.
    Archived,
}

impl Visibility {
    /// The word stored in `memories.visibility`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Private => "private",
            Self::Archived => "archived",
        }
    }

    /// The visibility of a stored word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Global, Self::Private, Self::Archived].into_iter().find(|v| v.as_str() == word)
    }
}

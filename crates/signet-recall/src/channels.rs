//! The channels: each finds its own candidates inside the reader's rows.

pub(crate) mod hint;
pub(crate) mod lexical;
pub(crate) mod vector;

/// Why a channel did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    /// The request or a setting excludes it.
    Disabled,
    /// No provider is set up.
    NoProvider,
    /// The query's vector space is not the store's.
    ProfileMismatch,
    /// The query got no vector.
    EmbeddingUnavailable,
}

impl Skip {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::NoProvider => "no_provider",
            Self::ProfileMismatch => "profile_mismatch",
            Self::EmbeddingUnavailable => "embedding_unavailable",
        }
    }
}

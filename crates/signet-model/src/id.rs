//! Identifiers as types, so that one cannot stand where another is meant.

use std::fmt;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Wraps a text that is known to be such an id.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_id! {
    /// An agent: the owner of memories. At most 64 characters of `[A-Za-z0-9_.:-]`.
    AgentId
}
text_id! {
    /// A memory; a UUIDv7 unless adopted.
    MemoryId
}

impl AgentId {
    /// The agent of a workspace that names none.
    pub fn default_agent() -> Self {
        Self::new("default")
    }
}

/// Whether `text` can be an id in a path or field: 1 to 128 characters of `[A-Za-z0-9_:.@/-]`.
pub fn is_id(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:.@/-".contains(&b))
}

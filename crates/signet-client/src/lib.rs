//! Typed client of the daemon's HTTP API.
//!
//! Owns: one connection setup (no redirects, no proxy, bounded waits), credentials on the wire, the
//! difference between a daemon that is stopped, slow, or refuses. Must never know: the store, configuration,
//! or any other crate of the workspace.

mod answer;
mod call;
mod error;
mod token;

pub use answer::{
    AgentRow, AgentsAnswer, ContentSafety, HistoryAnswer, HistoryEntry, MemoriesAnswer, MemoryRow,
};
pub use answer::{RecallAnswer, RecallHit, RecallMeta, RememberAnswer, SimilarAnswer, SimilarRow};
pub use call::{Client, Credential, Method, Options};
pub use error::{ApiError, Failure};
pub use token::{Claims, sign};

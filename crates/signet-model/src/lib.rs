//! The vocabulary of Signet.
//!
//! Owns: ids, scope, time, text rules, the shapes of memories and of recall, error codes, and the
//! ports through which the surfaces reach embedding.
//! Must never know: IO, async runtimes, SQL, HTTP, prompts, configuration files.

pub mod actor;
pub mod clock;
pub mod embed;
pub mod envelope;
pub mod error;
pub mod id;
pub mod memory;
pub mod project;
pub mod recall;
pub mod safety;
pub mod scope;
pub mod text;
pub mod time;

pub use actor::{Actor, ActorKind};
pub use clock::{Clock, Ids, SystemClock};
pub use error::{Code, Detail, Error, ErrorKind};
pub use id::{AgentId, MemoryId};
pub use scope::{AgentScope, Permission, ReadPolicy, Role};
pub use time::Timestamp;

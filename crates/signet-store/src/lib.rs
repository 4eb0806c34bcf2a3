//! The workspace directory and the SQLite file.
//!
//! Owns: connections, migrations, every SQL string, evidence, derived indexes, audit.
//! Must never know: providers, HTTP, prompts, ranking, an async runtime (a oneshot channel is all).

pub mod audit;
pub mod control;
pub mod db;
pub mod derived;
pub mod error;
pub mod evidence;
pub mod fault;
pub mod private;
pub mod rebuild;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use db::open::{OpenOptions, Store};
pub use db::reader::Reader;
pub use db::tx::{ReadTx, WriteTx};
pub use db::writer::Writer;
pub use error::StoreError;

/// Result of a store call.
pub type Result<T> = std::result::Result<T, StoreError>;

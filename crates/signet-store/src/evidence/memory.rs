//! Memories: one verb a file.
//!
//! Every function takes the transaction first, then the scope, and asks for nothing outside it
//! (INV-8). A change and its history row are one closure; a refusal leaves nothing behind.

pub mod access;
pub mod agent_rows;
pub mod batch_forget;
pub mod edit;
pub mod filter;
pub mod forget;
pub mod get;
pub mod history;
pub mod list;
pub mod modify_batch;
pub mod provenance;
pub mod purge;
pub mod recover;
pub mod remember;
pub mod remember_batch;
pub mod retention;
pub mod row;
pub mod stats;
pub mod supersede;

mod admit;
mod hints;
pub(crate) mod safety;
pub(crate) mod tags;

#[cfg(test)]
mod test_support;

pub use row::MemoryRow;

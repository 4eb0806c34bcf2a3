//! Append-only records of what changed.

pub mod history;
pub mod receipt;

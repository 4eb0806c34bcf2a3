//! Connections: one writer thread with group commit, a pool of readers that cannot write.

pub mod migrate;
pub mod open;
pub mod reader;
pub mod tx;
pub mod writer;

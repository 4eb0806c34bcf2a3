//! Connections: one writer thread with group commit, a pool of readers that cannot write.

pub mod damage;
mod lanes;
pub mod lifecycle;
pub mod lock;
pub mod migrate;
pub mod open;
pub mod pragma;
pub mod reader;
pub mod tx;
pub mod writer;

//! Work state: agents, credentials, counters, metadata.

pub mod meta;

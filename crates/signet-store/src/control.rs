//! Work state: agents, credentials, counters, metadata.

pub mod agents;
pub mod counters;
pub mod credential;
pub mod denials;
pub mod idempotency;
pub mod keys;
pub mod meta;
pub mod secret;
pub mod tokens;

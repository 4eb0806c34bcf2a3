//! Everything that leaves the process for a model: native and remote embedders.
//!
//! Owns: the in-process encoder and its weights, the wire formats of embedding servers, timeouts,
//! redaction of keys, and the scripted double that tests use.
//! Must never know: the store, scope, job state, who is asking.

pub mod fake;
pub mod http;
pub mod native;
pub mod none;
pub mod prefix;
pub mod secret;
pub mod settings;

//! Credentials and the principal they make.
//!
//! Owns: tokens, keys, hand-off codes, who a caller is and what is recorded of refusals.
//! Must not do: decide what a route needs (the route table does) or read rows by scope (the store does).

pub mod actor;
pub mod denials;
pub mod handoff;
pub mod keys;
pub mod principal;
pub mod registry;
pub mod token;

//! Evidence: what was said and decided. Never rewritten behind its owner's back.

pub mod memory;
pub(crate) mod tombstone;

//! Append-only records of what changed.

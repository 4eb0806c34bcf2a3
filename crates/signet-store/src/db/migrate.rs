//! Numbered migrations, recorded with the SHA-256 of their exact text.

/// A migration compiled into the binary.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Number.
    pub version: i64,
    /// Name.
    pub name: &'static str,
    /// Exact SQL text.
    pub sql: &'static str,
}

/// All migrations in order; the first is the squashed baseline.
pub const MIGRATIONS: &[Migration] =
    &[Migration { version: 148, name: "baseline", sql: include_str!("../../migrations/0148_baseline.sql") }];

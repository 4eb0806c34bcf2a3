//! Numbered migrations, recorded with the SHA-256 of their exact text, so that a changed one is noticed.
//!
//! Each runs in its own transaction together with its record; a failure leaves the schema as it was and
//! is recorded in a transaction of its own.

use std::path::Path;
use std::time::Instant;

use rusqlite::Connection;
use signet_model::{Code, Ids};

use crate::db::ledger::{self, Entry};
use crate::fault::{Faults, Point};
use crate::{Result, StoreError};

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

impl Migration {
    /// Lower-case hexadecimal SHA-256 of the SQL text.
    pub fn checksum(&self) -> String {
        crate::db::sha256_hex(self.sql.as_bytes())
    }
}

/// All migrations in order; the first is the squashed baseline, numbered after the earlier program's last schema.
pub const MIGRATIONS: &[Migration] =
    &[Migration { version: 148, name: "baseline", sql: include_str!("../../migrations/0148_baseline.sql") }];

/// What a migration runs with.
pub(crate) struct Runner<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) path: &'a Path,
    pub(crate) ids: &'a Ids,
    pub(crate) faults: &'a Faults,
}

impl Runner<'_> {
    /// Applies what is not applied yet, in order. The file was inspected before: what is applied is a
    /// beginning of `list`.
    pub(crate) fn run(&self, list: &[Migration]) -> Result<()> {
        ledger::create(self.connection)?;
        let applied = ledger::list_applied(self.connection)?.last().map_or(0, |entry| entry.version);
        // A table is rebuilt by dropping it, which must not cascade; the check before the commit makes up for it.
        self.connection.execute_batch("PRAGMA foreign_keys=OFF")?;
        let outcome =
            list.iter().filter(|migration| migration.version > applied).try_for_each(|next| self.apply(next));
        self.connection.execute_batch("PRAGMA foreign_keys=ON")?;
        outcome
    }

    fn apply(&self, migration: &Migration) -> Result<()> {
        let begun = Instant::now();
        let entry = Entry {
            version: migration.version,
            name: migration.name.to_owned(),
            checksum: migration.checksum(),
        };
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let outcome = self.statements(migration).and_then(|()| {
            let spent = millis_since(begun);
            ledger::insert(self.connection, &entry, self.ids.now())?;
            ledger::insert_audit(self.connection, &entry, self.ids.now(), spent, None)?;
            self.connection.pragma_update(None, "user_version", migration.version)?;
            Ok(self.connection.execute_batch("COMMIT")?)
        });
        let Err(failure) = outcome else { return Ok(()) };
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK")?;
        }
        let said = failure.to_string();
        ledger::insert_audit(self.connection, &entry, self.ids.now(), millis_since(begun), Some(&said))?;
        if failure.code() == Code::DiskFull {
            return Err(failure);
        }
        Err(StoreError::Unusable {
            path: self.path.display().to_string(),
            reason: format!("migration {}_{} failed: {said}", migration.version, migration.name),
            hint: "the schema is as it was before; run the build that made the file, and report this"
                .to_owned(),
        })
    }

    fn statements(&self, migration: &Migration) -> Result<()> {
        self.connection.execute_batch(migration.sql)?;
        if let Some(table) = broken_reference(self.connection)? {
            let reason = format!("it leaves broken references in {table}");
            return Err(signet_model::Error::internal(reason).into());
        }
        self.faults.pass(Point::InMigration)
    }
}

/// A table with a row whose parent is missing; `None` when all references hold.
pub(crate) fn broken_reference(connection: &Connection) -> Result<Option<String>> {
    use rusqlite::OptionalExtension as _;
    Ok(connection.query_row("PRAGMA foreign_key_check", [], |row| row.get(0)).optional()?)
}

fn millis_since(begun: Instant) -> i64 {
    i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;

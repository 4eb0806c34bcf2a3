//! The look at a database file before anything is written: whose it is, and whether this build may open it.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::db::ledger::{self, Entry};
use crate::db::migrate::Migration;
use crate::db::pragma::APPLICATION_ID;
use crate::db::{beside, schema};
use crate::{Result, StoreError};

/// What the file is to this build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileState {
    /// There is nothing in it.
    New,
    /// Every migration is applied.
    Current,
    /// Migrations are missing; `version` is the newest applied one, 0 when none is.
    Behind {
        /// Newest applied migration.
        version: i64,
    },
}

/// What the file is meant to be, which decides what a refusal advises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The database of a workspace.
    Database,
    /// A backup that was named by its user.
    Backup,
}

/// What to do about a refused file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    /// It is damaged.
    Replace,
    /// It is somebody else's.
    Elsewhere,
    /// Another build can do it.
    Build(&'static str),
}

impl Remedy {
    const fn hint(self, role: Role) -> &'static str {
        match (self, role) {
            (Self::Replace, Role::Database) => "put a verified backup in its place with `signet restore`",
            (Self::Elsewhere, Role::Database) => {
                "choose another workspace with `--workspace`; the file was left untouched"
            }
            (Self::Replace | Self::Elsewhere, Role::Backup) => "name a file that `signet backup` made",
            (Self::Build(hint), _) => hint,
        }
    }
}

/// Reads the file without writing to it. [`StoreError::Unusable`] when this build may not open it.
pub(crate) fn inspect(path: &Path, list: &[Migration]) -> Result<FileState> {
    look(list, Refusal { path, role: Role::Database })
}

/// [`inspect`] for a file that is meant to be a backup.
pub(crate) fn inspect_backup(path: &Path, list: &[Migration]) -> Result<FileState> {
    look(list, Refusal { path, role: Role::Backup })
}

fn look(list: &[Migration], refusal: Refusal<'_>) -> Result<FileState> {
    let path = refusal.path;
    if path.is_dir() {
        let remedy = match refusal.role {
            Role::Database => Remedy::Build("move the folder away; a new database is made in its place"),
            Role::Backup => Remedy::Replace,
        };
        return Err(refusal.because("it is a folder, not a database file", remedy));
    }
    if is_empty(path) && is_empty(&beside(path, "-wal")) {
        return Ok(FileState::New);
    }
    match read_state(path, list, refusal) {
        Err(StoreError::Sqlite(error)) if crate::db::damage::is_damage(&error) => Err(refusal.because(
            &format!("it is not a database, or its first pages are damaged ({error})"),
            Remedy::Replace,
        )),
        other => other,
    }
}

fn is_empty(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |metadata| metadata.len() == 0)
}

fn read_state(path: &Path, list: &[Migration], refusal: Refusal<'_>) -> Result<FileState> {
    let connection = open(path)?;
    let application_id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if application_id != APPLICATION_ID {
        return foreign(&connection, application_id, refusal);
    }
    if !schema::has_table(&connection, "schema_migrations")? {
        return Err(refusal.because("its record of migrations is missing", Remedy::Replace));
    }
    let applied = ledger::list_applied(&connection)?;
    let user_version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    refusal.check_record(&applied, user_version, list)?;
    let known = &list[..applied.len()];
    if let Some(missing) = schema::find_missing(&connection, known)? {
        return Err(refusal
            .because(&format!("{missing} is missing, although its migration is recorded"), Remedy::Replace));
    }
    Ok(match applied.last() {
        Some(last) if applied.len() == list.len() => {
            debug_assert_eq!(last.version, user_version);
            FileState::Current
        }
        last => FileState::Behind { version: last.map_or(0, |entry| entry.version) },
    })
}

/// A read-only connection, but for a file whose last writer died with a rollback journal in place: only a
/// connection that may write can put its pages back.
fn open(path: &Path) -> Result<Connection> {
    let open_as = |mode| {
        let connection = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.execute_batch("PRAGMA busy_timeout=5000; PRAGMA query_only=ON; PRAGMA schema_version;")?;
        Ok(connection)
    };
    match open_as(OpenFlags::SQLITE_OPEN_READ_ONLY) {
        Err(StoreError::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
            open_as(OpenFlags::SQLITE_OPEN_READ_WRITE)
        }
        other => other,
    }
}

/// A file without our mark: empty, or somebody else's.
fn foreign(connection: &Connection, application_id: i32, refusal: Refusal<'_>) -> Result<FileState> {
    if application_id != 0 {
        return Err(refusal.because(
            &format!("it belongs to another program (application id {application_id:#010x})"),
            Remedy::Elsewhere,
        ));
    }
    let tables: i64 = connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(FileState::New);
    }
    let whose = if schema::has_table(connection, "memories")? {
        "it was made by another program, whose memories this build cannot take over"
    } else {
        "it belongs to another program"
    };
    Err(refusal.because(whose, Remedy::Elsewhere))
}

/// Says why a file is refused.
#[derive(Debug, Clone, Copy)]
struct Refusal<'a> {
    path: &'a Path,
    role: Role,
}

impl Refusal<'_> {
    fn because(self, reason: &str, remedy: Remedy) -> StoreError {
        StoreError::Unusable {
            path: self.path.display().to_string(),
            reason: reason.to_owned(),
            hint: remedy.hint(self.role).to_owned(),
        }
    }

    /// Checks that what is applied is an unchanged beginning of `list`.
    fn check_record(self, applied: &[Entry], user_version: i64, list: &[Migration]) -> Result<()> {
        let newest_known = list.last().map_or(0, |migration| migration.version);
        let newest = applied.last().map_or(0, |entry| entry.version).max(user_version);
        if newest > newest_known {
            return Err(self.because(
                &format!("its schema has version {newest}, and this build knows up to {newest_known}"),
                Remedy::Build("start it with the newer build that made it; the file was left untouched"),
            ));
        }
        for (n, entry) in applied.iter().enumerate() {
            match list.get(n) {
                Some(known) if known.version == entry.version => self.check_text(entry, known, n == 0)?,
                _ => {
                    return Err(self.because(
                        &format!(
                            "it records migration {}_{}, which this build does not have",
                            entry.version, entry.name
                        ),
                        Remedy::Build("start it with the build that made it; the file was left untouched"),
                    ));
                }
            }
        }
        let recorded = applied.last().map_or(0, |entry| entry.version);
        if recorded != user_version {
            return Err(self.because(
                &format!("it says version {user_version}, but its record ends at {recorded}"),
                Remedy::Replace,
            ));
        }
        Ok(())
    }

    fn check_text(self, entry: &Entry, known: &Migration, baseline: bool) -> Result<()> {
        if entry.checksum == known.checksum() {
            return Ok(());
        }
        if baseline {
            // Until the first release the baseline is edited in place.
            return Err(self.because(
                "it was made by another unreleased build, whose baseline schema differs",
                Remedy::Build("export with the build that made it (`signet export`), then import into an empty workspace"),
            ));
        }
        Err(self.because(
            &format!("migration {}_{} is not the text that was applied to it", entry.version, entry.name),
            Remedy::Build("start it with the build that made it; the file was left untouched"),
        ))
    }
}

#[cfg(test)]
mod tests;

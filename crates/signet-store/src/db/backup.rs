//! Copies of the database by SQLite's online backup: one consistent file, made while writes go on.

pub mod texts;

use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use sha2::{Digest as _, Sha256};
use signet_model::{Code, Error, Timestamp};

use crate::db::inspect::{FileState, inspect_backup};
use crate::db::migrate::{MIGRATIONS, broken_reference};
use crate::db::open::database;
use crate::db::{beside, damage, hex, pragma};
use crate::{Result, StoreError, private};

/// Backups before a migration that are kept.
const KEPT: usize = 5;
/// Pages copied at a time; between two portions a progress could be told or a stop obeyed.
const PORTION: i32 = 4096;

/// A backup that was made and verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupReport {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Lower-case hexadecimal SHA-256 of the file.
    pub sha256: String,
    /// Newest migration applied to it.
    pub schema_version: i64,
    /// Live memories in it, of all agents.
    pub memories: i64,
}

/// Copies the workspace's database into the new file `to`, and verifies the copy before it gets its name.
///
/// Reads only, so it needs no lock: a daemon may write meanwhile. The folder of `to` is made when missing.
/// Errors: `not_found` without a database; `already_exists` when `to` exists; `corrupt` when the copy does
/// not verify, which means that the database itself is damaged; the failure of the disk. No file is left
/// behind then.
pub fn create(workspace: &Path, to: &Path) -> Result<BackupReport> {
    let from = database(workspace);
    if !from.exists() {
        return Err(Error::new(Code::NotFound, format!("there is no database at {}", from.display())).into());
    }
    if to.exists() {
        let message = format!("{} exists already", to.display());
        return Err(Error::new(Code::AlreadyExists, message).hint("choose another name").into());
    }
    // A folder that is there already is the user's own: its rights are left as they are.
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        private::folder(folder)?;
    }
    let partial = beside(to, ".partial");
    let made = copy(&from, &partial)
        .and_then(|()| verify(&partial))
        .and_then(|report| place(&partial, to).map(|()| BackupReport { path: to.to_owned(), ..report }));
    if made.is_err() && partial.exists() {
        std::fs::remove_file(&partial).map_err(|e| StoreError::io(&partial, e))?;
    }
    made
}

/// Opens a backup read-only and checks all of it: whose it is, its schema, every page, every reference.
///
/// Errors: `corrupt` with the first finding; [`StoreError::Unusable`] for a file of another program or build.
pub fn verify(path: &Path) -> Result<BackupReport> {
    const LIVE: &str =
        "SELECT COUNT(*) FROM agents a JOIN memories m ON m.agent_id = a.id WHERE m.is_deleted = 0";
    let bytes = std::fs::metadata(path).map_err(|e| StoreError::io(path, e))?.len();
    if inspect_backup(path, MIGRATIONS)? == FileState::New {
        return Err(unsound(path, "it is empty"));
    }
    let connection = pragma::readonly(path)?;
    let finding = match damage::integrity_check(&connection) {
        Err(StoreError::Sqlite(error)) if damage::is_damage(&error) => Some(error.to_string()),
        other => other?,
    };
    if let Some(finding) = finding {
        return Err(unsound(path, &finding));
    }
    if let Some(table) = broken_reference(&connection)? {
        return Err(unsound(path, &format!("table {table} refers to rows that are missing")));
    }
    Ok(BackupReport {
        path: path.to_owned(),
        bytes,
        sha256: sha256_of(path)?,
        schema_version: connection.query_row("PRAGMA user_version", [], |row| row.get(0))?,
        memories: connection.query_row(LIVE, [], |row| row.get(0))?,
    })
}

/// Copies a file that is about to be migrated beside itself, and removes the oldest such copies.
pub(crate) fn before_migration(database: &Path, version: i64, now: Timestamp) -> Result<PathBuf> {
    let to = beside(database, &format!(".bak-v{version}-{}", now.millis()));
    copy(database, &to)?;
    if let Some(folder) = database.parent() {
        private::sync_folder(folder)?;
    }
    for old in list_migration_backups(database)?.into_iter().rev().skip(KEPT) {
        std::fs::remove_file(&old).map_err(|e| StoreError::io(&old, e))?;
    }
    Ok(to)
}

/// Copies made before migrations, oldest first.
pub(crate) fn list_migration_backups(database: &Path) -> Result<Vec<PathBuf>> {
    let Some(folder) = database.parent() else { return Ok(Vec::new()) };
    let prefix = beside(database, ".bak-v");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| StoreError::io(folder, e))? {
        let path = entry.map_err(|e| StoreError::io(folder, e))?.path();
        let name = path.to_string_lossy().into_owned();
        let millis = name
            .strip_prefix(prefix.to_string_lossy().as_ref())
            .and_then(|rest| rest.split_once('-'))
            .filter(|(version, _)| version.parse::<i64>().is_ok())
            .and_then(|(_, millis)| millis.parse::<i64>().ok());
        if let Some(millis) = millis {
            found.push((millis, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Copies a database page by page into a file of its own, and puts it on disk.
///
/// The source is read in one snapshot: without it SQLite would begin anew after each commit of the writer.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let source = pragma::readonly(from)?;
    source.execute_batch("BEGIN; SELECT 1 FROM sqlite_schema;")?;
    let file = private::file(to)?;
    file.set_len(0).map_err(|e| StoreError::io(to, e))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = Connection::open_with_flags(to, flags)?;
    pages(&source, &mut target)?;
    // The copy stands alone: no write-ahead log beside it.
    target.query_row("PRAGMA journal_mode=DELETE", [], |_| Ok(()))?;
    target.close().map_err(|(_, error)| error)?;
    file.sync_all().map_err(|e| StoreError::io(to, e))
}

fn pages(source: &Connection, target: &mut Connection) -> Result<()> {
    let backup = Backup::new(source, target)?;
    loop {
        match backup.step(PORTION)? {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            // The target is ours alone and the source is in a snapshot: nothing to wait for.
            _ => {
                let busy = rusqlite::ffi::Error { code: ErrorCode::DatabaseBusy, extended_code: 5 };
                return Err(rusqlite::Error::SqliteFailure(busy, None).into());
            }
        }
    }
}

/// Gives a finished file its name, durably.
pub(crate) fn place(from: &Path, to: &Path) -> Result<()> {
    std::fs::rename(from, to).map_err(|e| StoreError::io(to, e))?;
    match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => private::sync_folder(folder),
        _ => Ok(()),
    }
}

fn unsound(path: &Path, finding: &str) -> StoreError {
    Error::new(Code::Corrupt, format!("{} does not verify: {finding}", path.display()))
        .hint("use another backup")
        .into()
}

fn sha256_of(path: &Path) -> Result<String> {
    let mut file = std::fs::File::open(path).map_err(|e| StoreError::io(path, e))?;
    let mut digest = Sha256::new();
    std::io::copy(&mut file, &mut digest).map_err(|e| StoreError::io(path, e))?;
    Ok(hex(&digest.finalize()))
}

#[cfg(test)]
mod tests;

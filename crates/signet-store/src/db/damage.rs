//! What the store knows of its own soundness: a damaged file is served read-only until a restore.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, ErrorCode};
use signet_model::{Code, Error};

use crate::{Result, StoreError};

/// How far the check after an unclean stop is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Check {
    /// The last stop was clean: no check was asked for.
    #[default]
    NotNeeded,
    /// It runs.
    Running,
    /// Nothing was found.
    Passed,
    /// Damage was found.
    Failed,
    /// The store was closed before the check came to an end.
    Interrupted,
}

/// Soundness of the file as status shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HealthReport {
    /// The check after an unclean stop.
    pub check: Check,
    /// What SQLite said of the damage; `None` while the file is held to be sound.
    pub damage: Option<String>,
    /// The last commit was refused because the name of the database leads elsewhere.
    pub displaced: bool,
}

/// Shared by the writer, the readers and status. Once damaged, it stays so until the store is opened anew.
#[derive(Debug, Clone, Default)]
pub struct Health {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    damaged: AtomicBool,
    /// How often the disk was full.
    full: AtomicU64,
    /// That number when something was stored last.
    full_when_stored: AtomicU64,
    report: Mutex<HealthReport>,
}

impl Health {
    /// The present state.
    pub fn report(&self) -> HealthReport {
        self.lock().clone()
    }

    /// Whether writes are refused because the file is damaged.
    pub fn is_damaged(&self) -> bool {
        self.inner.damaged.load(Ordering::Acquire)
    }

    /// Whether the last write that had something to store found the disk full.
    pub fn is_disk_full(&self) -> bool {
        self.times_full() > self.inner.full_when_stored.load(Ordering::Acquire)
    }

    /// How often the disk was full since the store was opened.
    pub(crate) fn times_full(&self) -> u64 {
        self.inner.full.load(Ordering::Acquire)
    }

    /// Something was stored.
    pub(crate) fn note_stored(&self) {
        self.inner.full_when_stored.store(self.times_full(), Ordering::Release);
    }

    /// The refusal of a write while the file is damaged.
    pub(crate) fn refuse_if_damaged(&self) -> std::result::Result<(), Error> {
        if self.is_damaged() { Err(refusal()) } else { Ok(()) }
    }

    /// Looks at a failure of any closure; damage switches the store to read-only, a full disk is noted.
    pub(crate) fn observe(&self, failure: &StoreError) {
        if failure.code() == Code::DiskFull {
            self.inner.full.fetch_add(1, Ordering::AcqRel);
        }
        if let StoreError::Sqlite(error) = failure
            && is_damage(error)
        {
            self.mark_damaged(&error.to_string());
        }
    }

    pub(crate) fn mark_damaged(&self, what: &str) {
        let mut report = self.lock();
        if report.damage.is_none() {
            tracing::error!(damage = what, "the database is damaged; it is served read-only from now on");
            report.damage = Some(what.to_owned());
        }
        self.inner.damaged.store(true, Ordering::Release);
    }

    /// Notes whether the name of the database leads to the open file.
    pub(crate) fn set_displaced(&self, displaced: bool) {
        self.lock().displaced = displaced;
    }

    pub(crate) fn set_check(&self, check: Check) {
        self.lock().check = check;
    }

    fn lock(&self) -> MutexGuard<'_, HealthReport> {
        self.inner.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a caller is told while the file is damaged.
fn refusal() -> Error {
    Error::new(Code::StorageUnavailable, "the database is damaged and served read-only")
        .hint("stop the daemon and run `signet restore` with a verified backup")
}

/// Whether SQLite reports a broken file. A full-text index that disagrees with its table (extended code
/// `SQLITE_CORRUPT_VTAB`) is not that: a rebuild mends it.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    let broken =
        matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase));
    broken && !is_index_drift(error)
}

/// Whether SQLite reports a full-text index that disagrees with its table.
pub(crate) fn is_index_drift(error: &rusqlite::Error) -> bool {
    error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_CORRUPT_VTAB)
}

/// Runs `quick_check` and notes what it found; an interrupted check finds nothing.
pub(crate) fn check(connection: &Connection, health: &Health) {
    health.set_check(Check::Running);
    match quick_check(connection) {
        Ok(None) => health.set_check(Check::Passed),
        Ok(Some(finding)) => {
            health.mark_damaged(&finding);
            health.set_check(Check::Failed);
        }
        Err(StoreError::Sqlite(error))
            if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) =>
        {
            health.set_check(Check::Interrupted);
        }
        Err(failure) => {
            health.mark_damaged(&failure.to_string());
            health.set_check(Check::Failed);
        }
    }
}

/// First finding of `quick_check`; `None` = the file is sound.
fn quick_check(connection: &Connection) -> Result<Option<String>> {
    first_finding(connection, "PRAGMA quick_check(1)")
}

/// First finding of `integrity_check`, which also compares every index with its table.
pub(crate) fn integrity_check(connection: &Connection) -> Result<Option<String>> {
    first_finding(connection, "PRAGMA integrity_check(1)")
}

fn first_finding(connection: &Connection, pragma: &str) -> Result<Option<String>> {
    let answer: String = connection.query_row(pragma, [], |row| row.get(0))?;
    Ok((answer != "ok").then_some(answer))
}

#[cfg(test)]
mod tests;

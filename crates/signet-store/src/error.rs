//! Failures of the store, and what a caller may be told of them.

use signet_model::{Code, Error, ErrorKind};

use crate::db::damage;
use crate::db::lock::Holder;

/// A failed store call.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A rule of the domain refuses it; goes to the caller as it is.
    #[error(transparent)]
    Refused(#[from] Error),
    /// SQLite failed.
    #[error("database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file system failed.
    #[error("{path}: {source}")]
    Io {
        /// What was touched.
        path: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A row does not read as it was written.
    #[error("corrupt row in {table}.{column}, row {row}")]
    Corrupt {
        /// Table.
        table: &'static str,
        /// Column.
        column: &'static str,
        /// Row id or key.
        row: String,
    },
    /// Another process holds the workspace. A second daemon says so and exits with success.
    #[error("the workspace is in use by {0}")]
    Locked(Holder),
    /// The database file is not one that this build may open; it was left untouched.
    #[error("{path}: {reason}")]
    Unusable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
        /// What to do about it.
        hint: String,
    },
    /// SQLite ended the transaction by itself, for the reason of the code; nothing of it was stored.
    #[error("the transaction was ended ({})", .0.as_str())]
    Ended(Code),
    /// The queue is full.
    #[error("the queue of the store is full")]
    Overloaded,
    /// The writer has stopped.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// An I/O failure on a path.
    pub fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }

    /// The error of a closure that panicked.
    pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Error::internal(format!("a store closure panicked: {said}")).into()
    }

    /// Class of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.code().kind()
    }

    /// Stable code of the failure.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(error) => error.code,
            Self::Sqlite(error) => match error.sqlite_error_code() {
                Some(rusqlite::ErrorCode::DiskFull) => Code::DiskFull,
                Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                    if damage::is_index_drift(error) {
                        Code::Corrupt
                    } else {
                        Code::StorageUnavailable
                    }
                }
                // Another program holds the file, or a read was stopped: the same call may go through later.
                Some(
                    rusqlite::ErrorCode::DatabaseBusy
                    | rusqlite::ErrorCode::DatabaseLocked
                    | rusqlite::ErrorCode::OperationInterrupted,
                ) => Code::Overloaded,
                // The index of the write-ahead log is shared memory, for which there was no room.
                _ if error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => {
                    Code::DiskFull
                }
                _ if is_unreachable(error) => Code::StorageUnavailable,
                _ => Code::Internal,
            },
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => Code::DiskFull,
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::ReadOnlyFilesystem => {
                Code::StorageUnavailable
            }
            Self::Io { .. } => Code::Internal,
            Self::Corrupt { .. } | Self::Unusable { .. } => Code::Corrupt,
            Self::Locked(_) => Code::AlreadyRunning,
            Self::Ended(code) => *code,
            Self::Overloaded => Code::Overloaded,
            Self::Closed => Code::ShuttingDown,
        }
    }
}

impl From<StoreError> for Error {
    fn from(failure: StoreError) -> Self {
        let code = failure.code();
        let (message, hint) = match &failure {
            StoreError::Refused(error) => return error.clone(),
            StoreError::Unusable { hint, .. } => return Self::new(code, failure.to_string()).hint(hint),
            StoreError::Locked(_) => (failure.to_string(), "stop it with `signet daemon stop`"),
            StoreError::Sqlite(error) if is_unreachable(error) && code == Code::StorageUnavailable => {
                (UNREACHABLE.0.to_owned(), UNREACHABLE.1)
            }
            StoreError::Io { .. } if code == Code::StorageUnavailable => {
                (UNREACHABLE.0.to_owned(), UNREACHABLE.1)
            }
            StoreError::Sqlite(_)
            | StoreError::Io { .. }
            | StoreError::Corrupt { .. }
            | StoreError::Ended(_)
            | StoreError::Overloaded
            | StoreError::Closed => match sentence(code) {
                Some((message, hint)) => (message.to_owned(), hint),
                None => return Self::internal(failure),
            },
        };
        Self::new(code, message).hint(hint).because(failure)
    }
}

/// What a caller is told when the disk does not let the database be opened, read or written.
const UNREACHABLE: (&str, &str) = (
    "the database cannot be opened or written: its disk fails or is read-only, or its file is not accessible",
    "make the disk and the workspace writable, then start the daemon again",
);

/// Whether SQLite was kept from the file, by its rights, a read-only file system or a failing disk.
fn is_unreachable(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            rusqlite::ErrorCode::ReadOnly
                | rusqlite::ErrorCode::CannotOpen
                | rusqlite::ErrorCode::SystemIoFailure
        )
    )
}

/// What a caller is told of a failure, and what to do about it. `None` = a bug, told without detail.
fn sentence(code: Code) -> Option<(&'static str, &'static str)> {
    match code {
        Code::DiskFull => Some(("the disk is full; nothing was stored", "free space, then try again")),
        Code::StorageUnavailable => Some((
            "the database is damaged and served read-only",
            "stop the daemon and run `signet restore` with a verified backup",
        )),
        Code::Corrupt => Some((
            "stored data does not read as it was written",
            "run `signet doctor`, then `signet rebuild`",
        )),
        Code::Overloaded => Some(("the store is busy", "try again in a second")),
        Code::ShuttingDown => Some(("the daemon is shutting down", "try again when it runs")),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

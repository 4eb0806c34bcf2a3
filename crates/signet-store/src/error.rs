//! Failures of the store, and what a caller may be told of them.

use signet_model::{Code, Error, ErrorKind};

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
    /// The write queue is full.
    #[error("the write queue is full")]
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
                    Code::StorageUnavailable
                }
                _ => Code::Internal,
            },
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => Code::DiskFull,
            Self::Io { .. } => Code::Internal,
            Self::Corrupt { .. } => Code::Corrupt,
            Self::Overloaded => Code::Overloaded,
            Self::Closed => Code::ShuttingDown,
        }
    }
}

impl From<StoreError> for Error {
    fn from(failure: StoreError) -> Self {
        if let StoreError::Refused(error) = failure {
            return error;
        }
        let code = failure.code();
        let (message, hint) = match code {
            Code::DiskFull => ("the disk is full; nothing was stored", Some("free space, then try again")),
            Code::StorageUnavailable => (
                "the database is damaged and served read-only",
                Some("run `signet restore` with a verified backup"),
            ),
            Code::Corrupt => ("a stored row does not read as it was written", Some("run `signet doctor`")),
            Code::Overloaded => ("too many writes are waiting", Some("try again in a second")),
            Code::ShuttingDown => ("the daemon is shutting down", None),
            _ => return Self::internal(failure),
        };
        let mut error = Self::new(code, message).because(&failure);
        error.hint = hint.map(str::to_owned);
        error
    }
}

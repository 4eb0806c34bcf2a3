//! Connections and their settings: one that writes, several that cannot.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::Result;

/// Marks the file as ours: "SGNT".
pub const APPLICATION_ID: i32 = 0x5347_4E54;

const STATEMENTS: usize = 256;

/// How SQLite makes a commit durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Journal {
    /// Write-ahead log: readers and the writer do not block each other.
    Wal,
    /// Rollback journal: slower, but it needs no shared memory, which network folders do not have.
    Rollback,
}

impl Journal {
    /// The word of the journal in status.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wal => "wal",
            Self::Rollback => "rollback",
        }
    }
}

/// The connection of the writer thread, and the journal it really has. The file must exist (see
/// [`crate::private::file`]).
pub(crate) fn writable(path: &Path, wanted: Journal) -> Result<(Connection, Journal)> {
    register_vec();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // `auto_vacuum` has to come before whatever writes the first page. What is deleted inside a page is
    // overwritten, for an erase must leave no byte of its text; whole free pages are given back by it.
    connection.execute_batch(
        "PRAGMA busy_timeout=5000; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA temp_store=MEMORY;
         PRAGMA secure_delete=FAST; PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=67108864;
         PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON;",
    )?;
    let journal = match wanted {
        Journal::Wal if journal_mode(&connection, "WAL")? == "wal" => Journal::Wal,
        Journal::Wal | Journal::Rollback => {
            journal_mode(&connection, "TRUNCATE")?;
            Journal::Rollback
        }
    };
    connection.execute_batch(match journal {
        Journal::Wal => "PRAGMA synchronous=FULL",
        Journal::Rollback => "PRAGMA synchronous=EXTRA",
    })?;
    harden(&connection)?;
    Ok((connection, journal))
}

/// Asks for a journal mode and tells which one the file has then.
fn journal_mode(connection: &Connection, mode: &str) -> Result<String> {
    Ok(connection.query_row(&format!("PRAGMA journal_mode={mode}"), [], |row| row.get(0))?)
}

/// A connection that cannot write.
pub(crate) fn readonly(path: &Path) -> Result<Connection> {
    register_vec();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch(
        "PRAGMA busy_timeout=5000; PRAGMA query_only=ON; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;
         PRAGMA cache_size=-8192;",
    )?;
    harden(&connection)?;
    Ok(connection)
}

/// The file is not trusted: its schema may not call what is unsafe, and no statement may break its pages.
fn harden(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

#[expect(unsafe_code, reason = "registering the statically linked sqlite-vec is a C call")]
fn register_vec() {
    use std::sync::Once;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        type Init = unsafe extern "C" fn(
            *mut rusqlite::ffi::sqlite3,
            *mut *mut std::ffi::c_char,
            *const rusqlite::ffi::sqlite3_api_routines,
        ) -> std::ffi::c_int;
        // SAFETY: sqlite3_vec_init has the signature of an extension entry point.
        unsafe {
            let init = std::mem::transmute::<*const (), Init>(sqlite_vec::sqlite3_vec_init as *const ());
            rusqlite::ffi::sqlite3_auto_extension(Some(init));
        }
    });
}

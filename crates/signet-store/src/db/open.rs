//! Opening a workspace: folders, pragmas, migrations, handles.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use signet_model::Ids;

use crate::db::migrate::MIGRATIONS;
use crate::{Reader, Result, StoreError, Writer};

/// How to open.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The workspace directory; made when missing.
    pub workspace: PathBuf,
    /// Reader connections.
    pub readers: usize,
    /// Source of ids and time.
    pub ids: Ids,
}

impl OpenOptions {
    /// The usual options: four readers.
    pub fn new(workspace: impl Into<PathBuf>, ids: Ids) -> Self {
        Self { workspace: workspace.into(), readers: 4, ids }
    }
}

/// An opened workspace.
#[derive(Debug)]
pub struct Store {
    reader: Reader,
    writer: Writer,
}

impl Store {
    /// Opens, migrates and starts the threads.
    pub fn open(options: &OpenOptions) -> Result<Self> {
        register_vec();
        let path = options.workspace.join("memory").join("memories.db");
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| StoreError::io(folder, e))?;
        }
        let connection = writable(&path)?;
        for migration in MIGRATIONS {
            let version: i64 = connection.query_row("PRAGMA user_version", [], |r| r.get(0))?;
            if version < migration.version {
                connection.execute_batch(migration.sql)?;
                connection.pragma_update(None, "user_version", migration.version)?;
            }
        }
        let (writer, _thread) = Writer::start(connection, options.ids.clone())?;
        let readers = (0..options.readers.max(1)).map(|_| readonly(&path)).collect::<Result<Vec<_>>>()?;
        Ok(Self { reader: Reader::start(readers)?, writer })
    }

    /// Handle that reads.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// Handle that writes.
    pub fn writer(&self) -> Writer {
        self.writer.clone()
    }
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

fn writable(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
         PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA temp_store=MEMORY;
         PRAGMA journal_size_limit=67108864;",
    )?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

fn readonly(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch("PRAGMA query_only=ON; PRAGMA busy_timeout=5000; PRAGMA temp_store=MEMORY;")?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

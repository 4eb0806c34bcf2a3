//! Test support: a real store in a temporary folder, with a clock and ids that the test holds.
//!
//! Behind the feature `testing`; no part of the daemon. The schema is migrated once per process and
//! each store starts from a copy of that file.
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a failure of test support is a failed test"
)]

pub mod clock;
pub mod dump;
pub mod plan;
pub mod plant;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusqlite::{Connection, OpenFlags};
use signet_model::Ids;
use tempfile::TempDir;

pub use clock::{TestClock, seeded_ids};

use crate::fault::Faults;
use crate::{OpenOptions, Reader, Store, Writer};

/// An open store in its own temporary folder, which goes away with it.
#[derive(Debug)]
pub struct TestStore {
    /// The clock behind every timestamp and id of the store.
    pub clock: TestClock,
    /// Fault points of the store; a test arms them.
    pub faults: Faults,
    ids: Ids,
    store: Option<Store>,
    folder: TempDir,
}

impl TestStore {
    /// A store with the baseline schema and no rows but those of the baseline.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let memory = folder.path().join("memory");
        std::fs::create_dir_all(&memory).expect("memory folder");
        std::fs::write(memory.join("memories.db"), template()).expect("template copy");
        let clock = TestClock::new();
        let ids = seeded_ids(&clock, 1);
        let mut made = Self { clock, faults: Faults::default(), ids, store: None, folder };
        made.reopen();
        made
    }

    /// The options the store is opened with.
    pub fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new(self.workspace(), self.ids.clone());
        options.readers = 2;
        options.faults = self.faults.clone();
        options
    }

    /// Closes the store; [`TestStore::reopen`] opens it again.
    pub fn close(&mut self) {
        drop(self.store.take());
    }

    /// Closes the store and opens the same files again, as a restart does.
    pub fn reopen(&mut self) {
        self.close();
        self.store = Some(Store::open(&self.options()).expect("store opens"));
    }

    /// The open store.
    pub fn store(&self) -> &Store {
        self.store.as_ref().expect("store is open")
    }

    /// Handle that reads.
    pub fn reader(&self) -> Reader {
        self.store().reader()
    }

    /// Handle that writes.
    pub fn writer(&self) -> Writer {
        self.store().writer()
    }

    /// Ids and time of the store.
    pub fn ids(&self) -> Ids {
        self.ids.clone()
    }

    /// The workspace folder.
    pub fn workspace(&self) -> &Path {
        self.folder.path()
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.workspace().join("memory").join("memories.db")
    }

    /// A connection past the store, for what only a test may do: read any table, break a row.
    pub fn raw(&self) -> Connection {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(self.database(), flags).expect("raw connection");
        connection.execute_batch("PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000;").expect("pragmas");
        connection
    }

    /// Every row of every table as text, in key order; see [`dump::dump`].
    pub fn dump(&self) -> String {
        dump::dump(&self.raw(), &[])
    }

    /// One whole number out of the database, such as a count.
    pub fn number(&self, sql: &str) -> i64 {
        self.raw().query_row(sql, [], |row| row.get(0)).expect("one number")
    }

    /// Steps of the query plan of `sql`; see [`plan::steps`].
    pub fn plan(&self, sql: &str) -> Vec<String> {
        plan::steps(&self.raw(), sql)
    }
}

impl Default for TestStore {
    fn default() -> Self {
        Self::new()
    }
}

/// A test leaves no row that refers to a missing one.
impl Drop for TestStore {
    fn drop(&mut self) {
        if std::thread::panicking() || self.store.is_none() {
            return;
        }
        let broken =
            self.raw().query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| row.get(0));
        assert_eq!(broken, Ok(0), "the test left rows that refer to missing ones");
    }
}

/// Bytes of a migrated database without data.
fn template() -> &'static [u8] {
    static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("temporary folder");
        let clock = TestClock::new();
        let options = OpenOptions::new(folder.path(), seeded_ids(&clock, 0));
        drop(Store::open(&options).expect("store opens"));
        let file = folder.path().join("memory").join("memories.db");
        let connection = Connection::open(&file).expect("template opens");
        connection.execute_batch("VACUUM").expect("template is compact");
        connection.pragma_update(None, "wal_checkpoint", "TRUNCATE").expect("checkpoint");
        drop(connection);
        std::fs::read(file).expect("template bytes")
    })
}

#[cfg(test)]
mod tests;

//! Transactions as types: what holds a [`ReadTx`] cannot write, what holds a [`WriteTx`] cannot wait.
//!
//! The compiler keeps both, and the examples below are run as tests. Each refused one differs from the
//! accepted one before it by a single word, so that it cannot be refused for another reason.
//!
//! A closure of a write is synchronous, so no provider call can run inside a transaction (INV-1):
//!
//! ```
//! fn provider_call() -> i64 { 1 }
//! async fn stores(writer: signet_store::Writer) {
//!     let _ = writer.write(|_tx| Ok(provider_call())).await;
//! }
//! ```
//! ```compile_fail,E0728
//! async fn provider_call() -> i64 { 1 }
//! async fn stores(writer: signet_store::Writer) {
//!     let _ = writer.write(|_tx| Ok(provider_call().await)).await;
//! }
//! ```
//!
//! No function that writes takes a [`ReadTx`] (INV-6):
//!
//! ```
//! fn sets(writer: signet_store::Writer) {
//!     let _ = writer.write_blocking(|tx| signet_store::control::meta::set(tx, "key", &serde_json::json!(1)));
//! }
//! ```
//! ```compile_fail,E0308
//! fn sets(reader: signet_store::Reader) {
//!     let _ = reader.read_blocking(|tx| signet_store::control::meta::set(tx, "key", &serde_json::json!(1)));
//! }
//! ```

use std::cell::Cell;

use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection};
use signet_model::{Code, Ids, Timestamp};

use crate::{Result, StoreError};

/// One snapshot of the database on a connection that cannot write.
#[derive(Debug)]
pub struct ReadTx<'c> {
    connection: &'c Connection,
}

impl<'c> ReadTx<'c> {
    pub(crate) const fn new(connection: &'c Connection) -> Self {
        Self { connection }
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<CachedStatement<'c>> {
        Ok(self.connection.prepare_cached(sql)?)
    }
}

/// A write closure's view: a savepoint inside the writer's transaction. Only made on the writer thread.
#[derive(Debug)]
pub struct WriteTx<'c> {
    connection: &'c Connection,
    ids: &'c Ids,
    now: Timestamp,
    /// Why SQLite ended the transaction by itself, when it did so in [`WriteTx::execute`].
    ended: Cell<Option<Code>>,
    /// Something was erased: see [`WriteTx::scrub_after_commit`].
    scrub: Cell<bool>,
}

impl<'c> WriteTx<'c> {
    pub(crate) fn new(connection: &'c Connection, ids: &'c Ids) -> Self {
        Self { connection, ids, now: ids.now(), ended: Cell::new(None), scrub: Cell::new(false) }
    }

    /// The instant of this write; the same for every row of the closure.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// A new UUIDv7.
    pub fn mint(&self) -> String {
        self.ids.mint()
    }

    /// The same state, for functions that only read.
    pub const fn as_read(&self) -> ReadTx<'c> {
        ReadTx { connection: self.connection }
    }

    /// Runs `work` in a savepoint of its own: when it fails, what it wrote is gone and the closure may
    /// go on with the next item of its batch.
    pub fn nested<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check_open()?;
        self.connection.execute_batch("SAVEPOINT item")?;
        let result = work();
        match &result {
            _ if self.connection.is_autocommit() => {}
            Ok(_) => self.connection.execute_batch("RELEASE item")?,
            Err(_) => self.connection.execute_batch("ROLLBACK TO item; RELEASE item")?,
        }
        result
    }

    /// Runs `work` without SQLite's guard of the tables that an extension keeps for itself. Only for
    /// taking a damaged mirror down, which the guard would keep for ever.
    pub(crate) fn unguarded<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
        let result = work();
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        result
    }

    /// Asks that no byte of what this closure deleted stays in the files: after the commit, and before
    /// the answer, free pages are given back and the write-ahead log is emptied.
    pub(crate) fn scrub_after_commit(&self) {
        self.scrub.set(true);
    }

    /// Whether a scrub was asked for.
    pub(crate) fn wants_scrub(&self) -> bool {
        self.scrub.get()
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<CachedStatement<'c>> {
        self.check_open()?;
        Ok(self.connection.prepare_cached(sql)?)
    }

    pub(crate) fn execute(&self, sql: &str, params: impl rusqlite::Params) -> Result<usize> {
        let outcome = self.prepare(sql)?.execute(params).map_err(StoreError::from);
        if let Err(failure) = &outcome
            && self.connection.is_autocommit()
        {
            self.ended.set(Some(failure.code()));
        }
        outcome
    }

    /// After a full disk or an I/O error SQLite may have rolled everything back by itself. What ran then
    /// would be committed statement by statement, so nothing runs any more.
    pub(crate) fn check_open(&self) -> Result<()> {
        if self.connection.is_autocommit() {
            return Err(StoreError::Ended(self.ended.get().unwrap_or(Code::Internal)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

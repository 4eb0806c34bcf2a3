//! Opening and closing a workspace: lock, folders, file, handles.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, InterruptHandle};
use signet_model::Ids;

use crate::db::backup::{self, BackupReport};
use crate::db::damage::{self, Health};
use crate::db::inspect::{FileState, inspect};
use crate::db::lifecycle::{self, LastStop};
use crate::db::lock::WorkspaceLock;
use crate::db::migrate::{MIGRATIONS, Migration, Runner};
use crate::db::reader::Pool;
use crate::db::workspace::{self, WorkspaceReport};
use crate::db::writer::Desk;
use crate::db::{pragma, restore};
use crate::fault::Faults;
use crate::{Reader, Result, StoreError, Writer, private};

/// How to open.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The workspace directory; made when missing.
    pub workspace: PathBuf,
    /// Reader connections.
    pub readers: usize,
    /// Source of ids and time.
    pub ids: Ids,
    /// Fault points that a test armed; none by default.
    pub faults: Faults,
    /// Migrations of the file; only tests of the runner have others than [`MIGRATIONS`].
    pub(crate) migrations: &'static [Migration],
}

impl OpenOptions {
    /// The usual options: four readers.
    pub fn new(workspace: impl Into<PathBuf>, ids: Ids) -> Self {
        Self {
            workspace: workspace.into(),
            readers: 4,
            ids,
            faults: Faults::default(),
            migrations: MIGRATIONS,
        }
    }
}

/// An opened workspace. It holds the workspace's lock, and is closed when dropped.
#[derive(Debug)]
pub struct Store {
    reader: Reader,
    writer: Writer,
    health: Health,
    report: WorkspaceReport,
    last_stop: LastStop,
    running: Mutex<Option<Running>>,
}

/// What runs while the store is open.
struct Running {
    lock: WorkspaceLock,
    ids: Ids,
    pool: Pool,
    writer: JoinHandle<Connection>,
    check: Option<BackgroundCheck>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Running")
    }
}

impl Store {
    /// Takes the lock, opens and migrates the file, and starts the threads.
    ///
    /// Errors: [`StoreError::Locked`] when another process has the workspace; [`StoreError::Unusable`]
    /// when the file is not one this build may open. The file is unchanged in both cases.
    pub fn open(options: &OpenOptions) -> Result<Self> {
        let workspace =
            std::path::absolute(&options.workspace).map_err(|e| StoreError::io(&options.workspace, e))?;
        private::folder(&workspace)?;
        let lock = WorkspaceLock::take(&workspace, &options.ids.now().to_string())?;
        let mut report = workspace::prepare(&workspace)?;
        let path = database(&workspace);
        restore::finish(&path)?;
        let connection = migrated(options, &path, &mut report)?;
        Self::start(options, report, connection, lock)
    }

    fn start(
        options: &OpenOptions,
        report: WorkspaceReport,
        connection: Connection,
        lock: WorkspaceLock,
    ) -> Result<Self> {
        let path = database(&report.path);
        let health = Health::default();
        let last_stop = begin(&connection, &options.ids, &health)?;
        let readers =
            (0..options.readers.max(1)).map(|_| pragma::readonly(&path)).collect::<Result<Vec<_>>>()?;
        let pool = Pool::start(readers, &health)?;
        let reader = pool.reader();
        let (writer, thread) = Writer::start(Desk {
            connection,
            ids: options.ids.clone(),
            health: health.clone(),
            faults: options.faults.clone(),
            readers: pool.watch(),
            scrub: std::cell::Cell::new(false),
        })?;
        let check = match last_stop {
            LastStop::Clean => None,
            LastStop::Unclean => Some(BackgroundCheck::start(&path, &health)?),
        };
        let running = Running { lock, ids: options.ids.clone(), pool, writer: thread, check };
        Ok(Self { reader, writer, health, report, last_stop, running: Mutex::new(Some(running)) })
    }

    /// Handle that reads.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// Handle that writes.
    pub fn writer(&self) -> Writer {
        self.writer.clone()
    }

    /// Soundness of the file, shared with the threads.
    pub fn health(&self) -> Health {
        self.health.clone()
    }

    /// What kind of folder the workspace was found to be.
    pub const fn report(&self) -> &WorkspaceReport {
        &self.report
    }

    /// [`backup::create`] of this workspace. Blocks for as long as the copy takes.
    pub fn backup(&self, to: &Path) -> Result<BackupReport> {
        backup::create(&self.report.path, to)
    }

    /// How the store was left before it was opened.
    pub const fn last_stop(&self) -> LastStop {
        self.last_stop
    }

    /// Writes the daemon's address into the lock file, for whoever meets the lock.
    pub fn announce(&self, url: &str) -> Result<()> {
        match self.running.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(running) => running.lock.announce(url),
            None => Err(StoreError::Closed),
        }
    }

    /// Answers what waits, marks a clean stop, empties the write-ahead log and gives the lock back.
    ///
    /// Blocks until the threads have ended; a second call does nothing. Handles that are still around
    /// answer [`StoreError::Closed`] from now on.
    pub fn close(&self) -> Result<()> {
        let Some(running) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(());
        };
        self.writer.close();
        let connection = running.writer.join().map_err(|panic| StoreError::panicked(&*panic))?;
        if let Some(check) = running.check {
            check.stop();
        }
        running.pool.stop();
        lifecycle::end(&connection, &running.ids, &self.health)?;
        connection.close().map_err(|(_, error)| error)?;
        drop(running.lock);
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Err(failure) = self.close() {
            tracing::error!("the store did not close cleanly: {failure}");
        }
    }
}

/// The database file of a workspace.
pub fn database(workspace: &Path) -> PathBuf {
    workspace.join("memory").join("memories.db")
}

/// The writer's connection to a file in which every migration is applied.
fn migrated(options: &OpenOptions, path: &Path, report: &mut WorkspaceReport) -> Result<Connection> {
    let state = inspect(path, options.migrations)?;
    if let FileState::Behind { version } = state
        && version > 0
    {
        backup::before_migration(path, version, options.ids.now())?;
    }
    private::file(path)?;
    let (connection, journal) = pragma::writable(path, report.journal)?;
    if journal != report.journal {
        report.journal = journal;
        report
            .warnings
            .push("this file system has no shared memory: the rollback journal is used".to_owned());
    }
    if state != FileState::Current {
        let (ids, faults) = (&options.ids, &options.faults);
        Runner { connection: &connection, path, ids, faults }.run(options.migrations)?;
    }
    Ok(connection)
}

/// Notes the start. A file that is too damaged for the note is still served, read-only.
fn begin(connection: &Connection, ids: &Ids, health: &Health) -> Result<LastStop> {
    match lifecycle::begin(connection, ids) {
        Err(StoreError::Sqlite(error)) if damage::is_damage(&error) => {
            health.mark_damaged(&error.to_string());
            Ok(LastStop::Unclean)
        }
        other => other,
    }
}

/// `quick_check` on a thread and connection of its own, so that it takes no reader away.
struct BackgroundCheck {
    interrupt: InterruptHandle,
    thread: JoinHandle<()>,
}

impl BackgroundCheck {
    fn start(path: &Path, health: &Health) -> Result<Self> {
        let connection = pragma::readonly(path)?;
        let interrupt = connection.get_interrupt_handle();
        let health = health.clone();
        health.set_check(damage::Check::Running);
        let thread = std::thread::Builder::new()
            .name("signet-check".to_owned())
            .spawn(move || damage::check(&connection, &health))
            .map_err(|source| StoreError::Io { path: "check thread".to_owned(), source })?;
        Ok(Self { interrupt, thread })
    }

    fn stop(self) {
        // An interrupt between two statements is lost, so it is repeated until it is heard.
        while !self.thread.is_finished() {
            self.interrupt.interrupt();
            std::thread::park_timeout(std::time::Duration::from_millis(1));
        }
        // The check ends in a note of its own; a panic in it concerns nobody any more.
        drop(self.thread.join());
    }
}

#[cfg(test)]
mod tests;

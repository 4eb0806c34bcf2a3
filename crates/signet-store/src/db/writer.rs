//! The writer thread: every queued closure of a turn runs in its own savepoint, one commit answers all.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use signet_model::{Error, Ids};
use tokio::sync::oneshot;

use crate::db::damage::{Health, is_damage};
use crate::db::idle::Caretaker;
use crate::db::lanes::{Lane, Lanes};
use crate::db::reader::ReadWatch;
use crate::db::space;
use crate::db::whereabouts::Whereabouts;
use crate::fault::{Faults, Point};
use crate::{Result, StoreError, WriteTx};

/// Closures that may wait in a lane.
const QUEUE: usize = 4096;
/// Closures of one transaction.
const GROUP: usize = 256;
/// A group takes no further closure this long after its first one ended, so that the caller of that one is
/// not kept waiting.
const GROUP_TIME: Duration = Duration::from_millis(50);

type Queue = Lanes<Box<dyn Job>>;

/// Sends closures to the one thread that writes.
#[derive(Clone, Debug)]
pub struct Writer {
    queue: Arc<Queue>,
    lane: Lane,
}

/// What the writer thread works with.
pub(crate) struct Desk {
    pub(crate) connection: Connection,
    pub(crate) ids: Ids,
    pub(crate) health: Health,
    pub(crate) faults: Faults,
    pub(crate) readers: ReadWatch,
    /// A closure of the running group erased something.
    pub(crate) scrub: Cell<bool>,
}

impl Desk {
    /// Notes a failure that ends the whole transaction, as every caller of the group will see it.
    fn lost(&self, failure: StoreError) -> Error {
        self.health.observe(&failure);
        failure.into()
    }
}

impl Writer {
    /// Starts the thread. It ends, and gives the connection back, once the queue is closed and empty.
    pub(crate) fn start(desk: Desk) -> Result<(Self, JoinHandle<Connection>)> {
        let queue = Arc::new(Queue::new(QUEUE));
        let served = Arc::clone(&queue);
        let thread = std::thread::Builder::new()
            .name("signet-writer".to_owned())
            .spawn(move || serve(desk, &served))
            .map_err(|source| StoreError::Io { path: "writer thread".to_owned(), source })?;
        Ok((Self { queue, lane: Lane::Foreground }, thread))
    }

    /// The same writer for work that nobody waits for: it runs when no foreground closure waits.
    #[must_use]
    pub fn upkeep(&self) -> Self {
        Self { queue: Arc::clone(&self.queue), lane: Lane::Upkeep }
    }

    /// Runs `work` in a savepoint and answers after the commit that holds it.
    ///
    /// `work` is a synchronous closure: it cannot await, so no provider call can run inside a
    /// transaction (INV-1). Errors: [`StoreError::Overloaded`] when the queue is full, `Closed` after
    /// shutdown, else what `work` or the commit said; in every error case nothing was stored.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
    {
        self.enqueue(work)?.await.map_err(|_| StoreError::Closed)?
    }

    /// [`Writer::write`] for callers without a runtime.
    pub fn write_blocking<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
    {
        self.enqueue(work)?.blocking_recv().map_err(|_| StoreError::Closed)?
    }

    /// Refuses further closures; those that wait are still run and answered.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    fn enqueue<T, F>(&self, work: F) -> Result<oneshot::Receiver<Result<T>>>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let closure = Closure { work: Some(work), result: None, answer };
        self.queue.push(self.lane, Box::new(closure))?;
        Ok(wait)
    }
}

/// A queued closure, without its types.
trait Job: Send {
    /// Runs it in a savepoint. An error means that the whole transaction is over.
    fn run(&mut self, desk: &Desk) -> std::result::Result<(), Error>;

    /// Tells the caller: its own result, or the failure of the group.
    fn answer(self: Box<Self>, failure: Option<&Error>);
}

struct Closure<T, F> {
    work: Option<F>,
    result: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<T, F> Job for Closure<T, F>
where
    T: Send + 'static,
    F: FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
{
    fn run(&mut self, desk: &Desk) -> std::result::Result<(), Error> {
        if let Some(work) = self.work.take() {
            self.result = Some(in_savepoint(desk, work)?);
        }
        Ok(())
    }

    fn answer(self: Box<Self>, failure: Option<&Error>) {
        let result = match (failure, self.result) {
            (None, Some(result)) => result,
            (Some(error), _) => Err(error.clone().into()),
            (None, None) => Err(StoreError::Closed),
        };
        // A caller that went away wants no answer.
        drop(self.answer.send(result));
    }
}

/// The closure's own result; an outer error when the transaction cannot go on.
fn in_savepoint<T>(
    desk: &Desk,
    work: impl FnOnce(&WriteTx<'_>) -> Result<T>,
) -> std::result::Result<Result<T>, Error> {
    let connection = &desk.connection;
    let batch = |sql| connection.execute_batch(sql).map_err(|error| desk.lost(error.into()));
    batch("SAVEPOINT closure")?;
    let tx = WriteTx::new(connection, &desk.ids);
    let result = catch_unwind(AssertUnwindSafe(|| work(&tx)))
        .unwrap_or_else(|panic| Err(StoreError::panicked(&*panic)));
    if let Err(ended) = tx.check_open() {
        // The closure's own error says best why, unless it kept it to itself.
        return Err(desk.lost(result.err().unwrap_or(ended)));
    }
    match result {
        Ok(done) => {
            desk.scrub.set(desk.scrub.get() || tx.wants_scrub());
            batch("RELEASE closure").map(|()| Ok(done))
        }
        Err(StoreError::Sqlite(error)) if is_damage(&error) => Err(desk.lost(error.into())),
        Err(failure) => {
            desk.health.observe(&failure);
            batch("ROLLBACK TO closure; RELEASE closure").map(|()| Err(failure))
        }
    }
}

/// The closures of one transaction, and whether it is on disk.
#[derive(Default)]
struct Group {
    jobs: Vec<Box<dyn Job>>,
    committed: bool,
}

fn serve(desk: Desk, queue: &Queue) -> Connection {
    let mut caretaker = Caretaker::new();
    let file = Whereabouts::of(&desk.connection);
    while let Some(first) = queue.wait() {
        serve_group(&desk, &file, queue, first);
        desk.readers.interrupt_long_reads();
        while queue.is_idle() && care(&desk, &mut caretaker) {}
    }
    desk.connection
}

fn serve_group(desk: &Desk, file: &Whereabouts, queue: &Queue, first: Box<dyn Job>) {
    if let Err(refusal) = desk.health.refuse_if_damaged() {
        return first.answer(Some(&refusal));
    }
    let mut group = Group { jobs: vec![first], committed: false };
    let before = (desk.connection.total_changes(), desk.health.times_full());
    let ran = catch_unwind(AssertUnwindSafe(|| transaction(desk, file, queue, &mut group)));
    let outcome = ran.unwrap_or_else(|panic| Err(StoreError::panicked(&*panic).into()));
    let failure = if group.committed { None } else { outcome.err() };
    if !desk.connection.is_autocommit() {
        // The failure is told already; a rollback that fails leaves nothing else to do.
        drop(desk.connection.execute_batch("ROLLBACK"));
    }
    if let Some(error) = &failure {
        let cause = error.internal.as_deref().unwrap_or_default();
        tracing::error!(closures = group.jobs.len(), cause, "a group of writes failed: {error}");
    }
    // An empty write says nothing about the space there is.
    let (changes, times_full) = before;
    if group.committed && desk.connection.total_changes() > changes && desk.health.times_full() == times_full
    {
        desk.health.note_stored();
    }
    if desk.scrub.take() && group.committed {
        scrub(desk);
    }
    for job in group.jobs {
        job.answer(failure.as_ref());
    }
}

/// Takes what was erased out of free pages and out of the log. What fails here is done by a later
/// checkpoint; the rows are gone in any case.
fn scrub(desk: &Desk) {
    if let Err(failure) = space::scrub(&desk.connection) {
        desk.health.observe(&failure);
        tracing::warn!("the files still hold bytes of what was erased: {failure}");
    }
}

/// Does one piece of the caretaker's work; false when there is no more to do.
fn care(desk: &Desk, caretaker: &mut Caretaker) -> bool {
    if desk.health.is_damaged() {
        return false;
    }
    caretaker.work(&desk.connection).unwrap_or_else(|failure| {
        desk.health.observe(&failure);
        tracing::warn!("the file could not be put in order: {failure}");
        false
    })
}

/// Runs the group's closures and all that join it, and commits.
fn transaction(
    desk: &Desk,
    file: &Whereabouts,
    queue: &Queue,
    group: &mut Group,
) -> std::result::Result<(), Error> {
    let batch = |sql| desk.connection.execute_batch(sql).map_err(|error| desk.lost(error.into()));
    let pass = |point| desk.faults.pass(point).map_err(|failure| desk.lost(failure));
    batch("BEGIN IMMEDIATE")?;
    let mut first_ended = None;
    let mut next = 0;
    while next < group.jobs.len() {
        if next > 0 {
            pass(Point::MidGroup)?;
        }
        group.jobs[next].run(desk)?;
        next += 1;
        let ended = first_ended.get_or_insert_with(Instant::now);
        if next < GROUP && ended.elapsed() < GROUP_TIME {
            group.jobs.extend(queue.take());
        }
    }
    pass(Point::BeforeCommit)?;
    let reachable = file.check();
    desk.health.set_displaced(reachable.is_err());
    reachable?;
    batch("COMMIT")?;
    group.committed = true;
    pass(Point::AfterCommit)
}

#[cfg(test)]
mod tests;

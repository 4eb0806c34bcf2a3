//! Readers: threads with connections that cannot write; one closure sees one snapshot.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, InterruptHandle};
use tokio::sync::oneshot;

use crate::db::damage::Health;
use crate::db::lanes::{Lane, Lanes};
use crate::{ReadTx, Result, StoreError};

/// Closures that may wait for a reader.
const QUEUE: usize = 4096;
/// A snapshot that lives longer keeps the write-ahead log from being emptied.
const LONGEST_READ: Duration = Duration::from_secs(30);

type Job = Box<dyn FnOnce(&Connection, &Health) + Send>;
type Queue = Lanes<Job>;

/// Reads on a pool of `query_only` connections.
#[derive(Clone, Debug)]
pub struct Reader {
    queue: Arc<Queue>,
}

/// The threads behind a [`Reader`].
pub(crate) struct Pool {
    queue: Arc<Queue>,
    watch: ReadWatch,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts one thread per connection.
    pub(crate) fn start(connections: Vec<Connection>, health: &Health) -> Result<Self> {
        let queue = Arc::new(Queue::new(QUEUE));
        let slots: Vec<Slot> = connections.iter().map(Slot::of).collect();
        let watch = ReadWatch { slots: slots.into() };
        let mut threads = Vec::new();
        for (n, connection) in connections.into_iter().enumerate() {
            let (queue, watch, health) = (Arc::clone(&queue), watch.clone(), health.clone());
            let thread = std::thread::Builder::new()
                .name(format!("signet-reader-{n}"))
                .spawn(move || {
                    while let Some(job) = queue.wait() {
                        watch.slots[n].timed(|| job(&connection, &health));
                    }
                })
                .map_err(|source| StoreError::Io { path: "reader thread".to_owned(), source })?;
            threads.push(thread);
        }
        Ok(Self { queue, watch, threads })
    }

    /// A handle on the pool.
    pub(crate) fn reader(&self) -> Reader {
        Reader { queue: Arc::clone(&self.queue) }
    }

    /// What tells how long the present reads last.
    pub(crate) fn watch(&self) -> ReadWatch {
        self.watch.clone()
    }

    /// Answers every waiting closure with `Closed`, interrupts those that run, and joins the threads.
    pub(crate) fn stop(self) {
        self.queue.close();
        while let Some(unserved) = self.queue.take() {
            drop(unserved);
        }
        for thread in self.threads {
            // An interrupt ends one statement; the closure may go on to the next.
            while !thread.is_finished() {
                self.watch.interrupt_older_than(Duration::ZERO);
                std::thread::park_timeout(Duration::from_millis(1));
            }
            // A reader thread catches the panics of its closures.
            drop(thread.join());
        }
    }
}

/// Since when each connection of the pool has been reading.
#[derive(Clone)]
pub(crate) struct ReadWatch {
    slots: Arc<[Slot]>,
}

struct Slot {
    interrupt: InterruptHandle,
    since: Mutex<Option<Instant>>,
}

impl Slot {
    fn of(connection: &Connection) -> Self {
        Self { interrupt: connection.get_interrupt_handle(), since: Mutex::new(None) }
    }

    fn timed(&self, work: impl FnOnce()) {
        self.set(Some(Instant::now()));
        work();
        self.set(None);
    }

    fn set(&self, since: Option<Instant>) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}

impl ReadWatch {
    /// Ends reads that hold their snapshot for too long. The writer calls it after each group: without
    /// writes a long read harms nobody.
    pub(crate) fn interrupt_long_reads(&self) {
        self.interrupt_older_than(LONGEST_READ);
    }

    fn interrupt_older_than(&self, age: Duration) {
        for slot in self.slots.iter() {
            // The lock is held over the interrupt, so that it cannot hit the next read.
            let since = slot.since.lock().unwrap_or_else(PoisonError::into_inner);
            if since.is_some_and(|since| since.elapsed() >= age) {
                slot.interrupt.interrupt();
            }
        }
    }
}

impl Reader {
    /// Runs `work` on one snapshot.
    ///
    /// Errors: what `work` said; `Overloaded` when too many reads wait; `Closed` after shutdown.
    pub async fn read<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx<'_>) -> Result<T> + Send + 'static,
    {
        self.enqueue(work)?.await.map_err(|_| StoreError::Closed)?
    }

    /// [`Reader::read`] for callers without a runtime.
    pub fn read_blocking<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx<'_>) -> Result<T> + Send + 'static,
    {
        self.enqueue(work)?.blocking_recv().map_err(|_| StoreError::Closed)?
    }

    fn enqueue<T, F>(&self, work: F) -> Result<oneshot::Receiver<Result<T>>>
    where
        T: Send + 'static,
        F: FnOnce(&ReadTx<'_>) -> Result<T> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let job: Job = Box::new(move |connection, health| {
            let result = snapshot(connection, work);
            if let Err(failure) = &result {
                health.observe(failure);
            }
            // A caller that went away wants no answer.
            drop(answer.send(result));
        });
        self.queue.push(Lane::Foreground, job)?;
        Ok(wait)
    }
}

fn snapshot<T>(connection: &Connection, work: impl FnOnce(&ReadTx<'_>) -> Result<T>) -> Result<T> {
    connection.execute_batch("BEGIN")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(&ReadTx::new(connection))))
        .unwrap_or_else(|panic| Err(StoreError::panicked(&*panic)));
    if !connection.is_autocommit() {
        // Nothing was written: both ends are alike, and this one cannot fail for want of a lock.
        connection.execute_batch("ROLLBACK")?;
    }
    result
}

#[cfg(test)]
mod tests;

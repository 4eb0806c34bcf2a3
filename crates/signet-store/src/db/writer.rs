//! The writer thread: every queued closure of a turn runs in its own savepoint, one commit answers all (D6).

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;
use signet_model::Ids;
use tokio::sync::oneshot;

use crate::{Result, StoreError, WriteTx};

const QUEUE: usize = 4096;
const GROUP: usize = 256;

type Run = Box<dyn FnOnce(&Connection, &Ids) -> Finish + Send>;
type Finish = Box<dyn FnOnce(Option<StoreError>) + Send>;

/// Sends closures to the one thread that writes.
#[derive(Clone, Debug)]
pub struct Writer {
    queue: SyncSender<Run>,
}

impl Writer {
    /// Starts the thread on a connection opened for writing.
    pub(crate) fn start(connection: Connection, ids: Ids) -> Result<(Self, JoinHandle<()>)> {
        let (queue, runs) = sync_channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("signet-writer".to_owned())
            .spawn(move || serve(&connection, &ids, &runs))
            .map_err(|source| StoreError::Io { path: "writer thread".to_owned(), source })?;
        Ok((Self { queue }, thread))
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

    fn enqueue<T, F>(&self, work: F) -> Result<oneshot::Receiver<Result<T>>>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let run: Run = Box::new(move |connection, ids| {
            let result = in_savepoint(connection, || work(&WriteTx::new(connection, ids)));
            Box::new(move |failure| {
                drop(answer.send(match failure {
                    Some(error) => Err(error),
                    None => result,
                }));
            })
        });
        self.queue.try_send(run).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Overloaded,
            TrySendError::Disconnected(_) => StoreError::Closed,
        })?;
        Ok(wait)
    }
}

fn in_savepoint<T>(connection: &Connection, work: impl FnOnce() -> Result<T>) -> Result<T> {
    connection.execute_batch("SAVEPOINT closure")?;
    let result = work();
    match &result {
        Ok(_) => connection.execute_batch("RELEASE closure")?,
        Err(_) => connection.execute_batch("ROLLBACK TO closure; RELEASE closure")?,
    }
    result
}

fn serve(connection: &Connection, ids: &Ids, runs: &Receiver<Run>) {
    while let Ok(first) = runs.recv() {
        let mut finishes = Vec::new();
        let outcome = (|| -> Result<()> {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let mut next = Some(first);
            while let Some(run) = next {
                finishes.push(run(connection, ids));
                next = if finishes.len() < GROUP { runs.try_recv().ok() } else { None };
            }
            connection.execute_batch("COMMIT")?;
            Ok(())
        })();
        if outcome.is_err() && !connection.is_autocommit() {
            drop(connection.execute_batch("ROLLBACK"));
        }
        let failure = outcome.err().map(|error| error.to_string());
        for finish in finishes {
            finish(failure.as_ref().map(|text| signet_model::Error::internal(text).into()));
        }
    }
}

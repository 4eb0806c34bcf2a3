//! Readers: threads with connections that cannot write; one closure sees one snapshot.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{ReadTx, Result, StoreError};

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Reads on a pool of `query_only` connections.
#[derive(Clone, Debug)]
pub struct Reader {
    jobs: Sender<Job>,
}

impl Reader {
    pub(crate) fn start(connections: Vec<Connection>) -> Result<Self> {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for (n, connection) in connections.into_iter().enumerate() {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new()
                .name(format!("signet-reader-{n}"))
                .spawn(move || serve(&connection, &queue))
                .map_err(|source| StoreError::Io { path: "reader thread".to_owned(), source })?;
        }
        Ok(Self { jobs })
    }

    /// Runs `work` on one snapshot.
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
        self.jobs
            .send(Box::new(move |connection| drop(answer.send(snapshot(connection, work)))))
            .map_err(|_| StoreError::Closed)?;
        Ok(wait)
    }
}

fn snapshot<T>(connection: &Connection, work: impl FnOnce(&ReadTx<'_>) -> Result<T>) -> Result<T> {
    connection.execute_batch("BEGIN")?;
    let result = work(&ReadTx::new(connection));
    connection.execute_batch("COMMIT")?;
    result
}

fn serve(connection: &Connection, queue: &Mutex<Receiver<Job>>) {
    loop {
        let job = match queue.lock() {
            Ok(receiver) => receiver.recv(),
            Err(_) => return,
        };
        match job {
            Ok(job) => job(connection),
            Err(_) => return,
        }
    }
}

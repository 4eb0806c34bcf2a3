//! Encoding threads: started when there is something to encode, gone when they were idle for a while.
//!
//! The model is held by the threads alone, so its memory goes with the last of them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use signet_model::embed::{EmbedError, EmbedFailure, Embedded};
use tokio::sync::oneshot;

use super::forward::Scratch;
use super::model::{Model, Source};

/// Result of one piece of a call.
pub(super) type Piece = Result<Vec<Embedded>, EmbedError>;

/// Texts that are encoded together.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) texts: Vec<String>,
    pub(super) answer: oneshot::Sender<Piece>,
}

/// The model as all threads share it.
#[derive(Debug)]
pub(super) struct ModelCell {
    source: Source,
    max_tokens: usize,
    loaded: Mutex<Weak<Model>>,
}

impl ModelCell {
    pub(super) fn new(source: Source, max_tokens: usize) -> Self {
        Self { source, max_tokens, loaded: Mutex::default() }
    }

    /// Whether the model is in memory.
    pub(super) fn is_loaded(&self) -> bool {
        lock(&self.loaded).strong_count() > 0
    }

    fn get(&self) -> Result<Arc<Model>, EmbedError> {
        let mut loaded = lock(&self.loaded);
        if let Some(model) = loaded.upgrade() {
            return Ok(model);
        }
        let model = Model::load(&self.source, self.max_tokens)
            .map_err(|cause| EmbedError { class: EmbedFailure::Provider, message: cause.to_string() })?;
        let model = Arc::new(model);
        *loaded = Arc::downgrade(&model);
        Ok(model)
    }
}

/// How a lane runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaneOptions {
    pub(super) name: &'static str,
    pub(super) most_threads: usize,
    /// Jobs that may wait.
    pub(super) most_waiting: usize,
    /// How long a thread waits for work before it ends; `None` = for ever.
    pub(super) idle: Option<Duration>,
    /// What the threads yield the processor to others by (Unix niceness).
    pub(super) niceness: i32,
}

/// A queue with its threads.
#[derive(Debug)]
pub(super) struct Lane {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: LaneOptions,
    model: Arc<ModelCell>,
    state: Mutex<State>,
    ready: Condvar,
}

#[derive(Debug, Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
    closed: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lane {
    pub(super) fn new(options: LaneOptions, model: Arc<ModelCell>) -> Self {
        let shared = Shared { options, model, state: Mutex::default(), ready: Condvar::new() };
        Self { shared: Arc::new(shared) }
    }

    /// Queues a job. Its answer comes through its channel, a refusal included.
    pub(super) fn push(&self, job: Job) {
        let mut state = lock(&self.shared.state);
        if state.jobs.len() >= self.shared.options.most_waiting {
            drop(job.answer.send(Err(provider("too many texts are waiting for the embedding model"))));
            return;
        }
        state.jobs.push_back(job);
        if state.jobs.len() > state.idle && state.threads < self.shared.options.most_threads {
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name(self.shared.options.name.to_owned());
            match thread.spawn(move || Worker { shared, counted: true }.run()) {
                Ok(_) => state.threads += 1,
                Err(cause) if state.threads == 0 => {
                    refuse_all(&mut state, &format!("cannot start a thread: {cause}"));
                }
                Err(_) => {}
            }
        }
        self.shared.ready.notify_one();
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.closed = true;
        state.jobs.clear();
        self.shared.ready.notify_all();
    }
}

fn provider(message: &str) -> EmbedError {
    EmbedError { class: EmbedFailure::Provider, message: message.to_owned() }
}

/// One thread.
struct Worker {
    shared: Arc<Shared>,
    /// Still one of `State::threads`.
    counted: bool,
}

impl Worker {
    fn run(mut self) {
        yield_to_others(self.shared.options.niceness);
        let mut scratch = Scratch::new();
        let mut model = None;
        while let Some(job) = self.next() {
            if job.answer.is_closed() {
                continue;
            }
            let held = match &model {
                Some(held) => Ok(Arc::clone(held)),
                None => self.shared.model.get(),
            };
            let outcome = held.and_then(|held| {
                model = Some(Arc::clone(&held));
                held.embed(&mut scratch, &job.texts)
            });
            drop(job.answer.send(outcome));
        }
    }

    fn next(&mut self) -> Option<Job> {
        let shared = Arc::clone(&self.shared);
        let job = wait_for_job(&shared);
        self.counted = job.is_some();
        job
    }
}

/// The next job; `None` when the thread is to end, which is counted before anyone can queue again.
fn wait_for_job(shared: &Shared) -> Option<Job> {
    let mut state = lock(&shared.state);
    loop {
        if let Some(job) = state.jobs.pop_front() {
            return Some(job);
        }
        if state.closed {
            state.threads -= 1;
            return None;
        }
        state.idle += 1;
        let timed_out;
        (state, timed_out) = match shared.options.idle {
            None => (shared.ready.wait(state).unwrap_or_else(PoisonError::into_inner), false),
            Some(idle) => {
                let waited = shared.ready.wait_timeout(state, idle);
                let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
                (state, waited.timed_out())
            }
        };
        state.idle -= 1;
        if timed_out && state.jobs.is_empty() {
            state.threads -= 1;
            return None;
        }
    }
}

impl Drop for Worker {
    /// After a panic: the thread is no longer counted, and nobody waits for an answer for ever.
    fn drop(&mut self) {
        if !self.counted {
            return;
        }
        let mut state = lock(&self.shared.state);
        state.threads -= 1;
        if state.threads == 0 {
            refuse_all(&mut state, "the embedding model failed; see the daemon's log");
        }
    }
}

fn refuse_all(state: &mut State, message: &str) {
    for job in state.jobs.drain(..) {
        drop(job.answer.send(Err(provider(message))));
    }
}

#[cfg(target_os = "linux")]
fn yield_to_others(niceness: i32) {
    // On Linux the niceness is the calling thread's own. A refusal only costs politeness.
    if niceness > 0 {
        let _refused = rustix::process::nice(niceness);
    }
}

#[cfg(not(target_os = "linux"))]
const fn yield_to_others(_niceness: i32) {}

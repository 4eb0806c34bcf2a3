//! The in-process provider: a BERT-family encoder whose weights are in the binary or in a folder.
//!
//! Queries and documents have threads of their own, so a question never waits behind a batch. Nothing is
//! loaded before the first text, and everything is dropped again after an idle time.

mod folder;
mod forward;
mod lane;
mod math;
mod matmul;
mod model;
mod pack;
mod safetensors;
mod tokenizer;
mod weights;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use signet_model::embed::{
    Availability, BoxFuture, EmbedError, EmbedFailure, EmbedRole, Embedded, Embedder, Profile,
};
use tokio::sync::oneshot;

use self::folder::Folder;
use self::lane::{Job, Lane, LaneOptions, ModelCell, Piece};
use self::model::Source;

/// Why a model does not load: one sentence that names the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(String);

impl LoadError {
    fn new(cause: impl std::fmt::Display) -> Self {
        Self(cause.to_string())
    }
}

/// How the native provider runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeOptions {
    /// Folder of another model; `None` = the built-in one.
    pub model_dir: Option<PathBuf>,
    /// Most tokens of a text; the model's own limit when it is lower.
    pub max_tokens: usize,
    /// How long the model stays in memory without use; zero = for ever.
    pub idle: Duration,
    /// Threads for documents; queries have one of their own.
    pub document_threads: usize,
}

impl Default for NativeOptions {
    /// The built-in model, ten idle minutes, one thread for each of the first four processors.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            model_dir: None,
            max_tokens: pack::MAX_TOKENS,
            idle: Duration::from_mins(10),
            document_threads: processors.min(4),
        }
    }
}

/// The native provider.
#[derive(Debug)]
pub struct NativeEmbedder {
    profile: Profile,
    model: Arc<ModelCell>,
    queries: Lane,
    documents: Lane,
    last: Mutex<Availability>,
}

/// Texts of one piece are encoded together; a piece is the unit in which threads share a call. About
/// what a few hundred tokens hold, so that a piece takes some tens of milliseconds.
const PIECE_CHARS: usize = 1_200;

/// Jobs that may wait in a lane.
const MOST_WAITING: usize = 1_024;

impl NativeEmbedder {
    /// Checks the folder, when one is named, and loads nothing yet.
    pub fn new(options: &NativeOptions) -> Result<Self, LoadError> {
        let (source, model, dimensions) = match &options.model_dir {
            None => (Source::BuiltIn, pack::MODEL.to_owned(), pack::DIMENSIONS),
            Some(path) => {
                let folder = Folder::open(path)?;
                let (name, dimensions) = (folder.name.clone(), folder.dimensions);
                (Source::Folder(folder), name, dimensions)
            }
        };
        let prefix = crate::prefix::of_model(&model);
        let profile = Profile { provider: "native".to_owned(), model, dimensions, prefix };
        let model = Arc::new(ModelCell::new(source, options.max_tokens));
        let lane = |name, most_threads, niceness| {
            let idle = (!options.idle.is_zero()).then_some(options.idle);
            let options = LaneOptions { name, most_threads, most_waiting: MOST_WAITING, idle, niceness };
            Lane::new(options, Arc::clone(&model))
        };
        let queries = lane("signet-embed-q", 1, 0);
        let documents = lane("signet-embed-d", options.document_threads.max(1), 10);
        Ok(Self { profile, queries, documents, model, last: Mutex::new(Availability::Unknown) })
    }

    /// Loads the model for queries now, in the background.
    pub fn warm(&self) {
        let (answer, _unheard) = oneshot::channel();
        self.queries.push(Job { texts: Vec::new(), answer });
    }

    /// Whether the model is in memory.
    pub fn is_loaded(&self) -> bool {
        self.model.is_loaded()
    }

    fn submit(&self, role: EmbedRole, texts: Vec<String>) -> Vec<oneshot::Receiver<Piece>> {
        let prefixed = crate::prefix::apply_all(self.profile.prefix, role, texts);
        let lane = match role {
            EmbedRole::Query => &self.queries,
            EmbedRole::Document => &self.documents,
        };
        let submit = |texts| {
            let (answer, wait) = oneshot::channel();
            lane.push(Job { texts, answer });
            wait
        };
        pieces(prefixed).into_iter().map(submit).collect()
    }
}

/// Cuts a call into pieces of about [`PIECE_CHARS`] bytes, in order.
fn pieces(texts: Vec<String>) -> Vec<Vec<String>> {
    let (mut pieces, mut size) = (Vec::<Vec<String>>::new(), 0);
    for text in texts {
        size += text.len();
        match pieces.last_mut() {
            Some(piece) if size <= PIECE_CHARS => piece.push(text),
            _ => {
                size = text.len();
                pieces.push(vec![text]);
            }
        }
    }
    pieces
}

impl Embedder for NativeEmbedder {
    fn profile(&self) -> Option<Profile> {
        Some(self.profile.clone())
    }

    fn embed(&self, role: EmbedRole, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        let waits = self.submit(role, texts);
        Box::pin(async move {
            let outcome = collect(waits).await;
            let shown = match &outcome {
                Err(error) if !error.class.is_of_the_text() => Availability::Down(error.message.clone()),
                _ => Availability::Up,
            };
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = shown;
            outcome
        })
    }

    fn availability(&self) -> Availability {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn address(&self) -> Option<String> {
        None
    }
}

async fn collect(waits: Vec<oneshot::Receiver<Piece>>) -> Result<Vec<Embedded>, EmbedError> {
    let mut vectors = Vec::new();
    for wait in waits {
        let piece = wait.await.unwrap_or_else(|_| {
            let message = "the embedding model stopped while it worked on this text".to_owned();
            Err(EmbedError { class: EmbedFailure::Provider, message })
        });
        vectors.extend(piece?);
    }
    Ok(vectors)
}

//! Ports through which vectors are made. The binary wires a real one or a test double.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::Error;

/// A future that can be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a text is embedded for; some models want a prefix by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedRole {
    /// A question.
    Query,
    /// A stored text.
    Document,
}

/// A vector space. Two vectors may be compared only when their profiles are equal.
/// No address and no key: moving a server re-embeds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// `native`, `openai`, `ollama` (or `fake` in tests).
    pub provider: String,
    /// Model name; for local folders it carries the first 12 hex digits of the weights' SHA-256.
    pub model: String,
    /// Length of a vector.
    pub dimensions: usize,
    /// Prefix family: `legacy-raw`, `nomic` or `qwen3-embedding`.
    pub prefix: &'static str,
}

impl Profile {
    /// Compact JSON with sorted keys; the unique name of the space.
    pub fn fingerprint(&self) -> String {
        let quote = |s: &str| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
        format!(
            "{{\"dimensions\":{},\"model\":{},\"profile\":{},\"provider\":{}}}",
            self.dimensions,
            quote(&self.model),
            quote(self.prefix),
            quote(&self.provider)
        )
    }
}

/// One text turned into a vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// Finite, non-zero, of the profile's length; native vectors have length 1.
    pub vector: Vec<f32>,
    /// The text was longer than the model's context and was cut at a word.
    pub truncated: bool,
}

/// Why a text got no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedFailure {
    /// Longer than the provider takes.
    ContextLimit,
    /// The provider refuses this text.
    InvalidInput,
    /// The provider is down or answered with an error: no fault of the text.
    Provider,
    /// No answer in time.
    Timeout,
    /// A vector of another length, not finite, or zero.
    Dimension,
}

impl EmbedFailure {
    /// The word stored in `embedding_work.failure_class`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContextLimit => "context_limit",
            Self::InvalidInput => "invalid_input",
            Self::Provider => "provider",
            Self::Timeout => "timeout",
            Self::Dimension => "dimension",
        }
    }

    /// Whether the text itself is at fault (else the provider is).
    pub const fn is_of_the_text(self) -> bool {
        matches!(self, Self::ContextLimit | Self::InvalidInput)
    }
}

/// A failed embedding call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedError {
    /// Class.
    pub class: EmbedFailure,
    /// Sentence without secrets.
    pub message: String,
}

impl std::fmt::Display for EmbedError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EmbedError {}

impl From<EmbedError> for Error {
    fn from(error: EmbedError) -> Self {
        let code = if error.class == EmbedFailure::Timeout {
            crate::Code::ProviderTimeout
        } else {
            crate::Code::ProviderFailed
        };
        Self::new(code, error.message)
    }
}

/// What is known about a provider without calling it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// Never called.
    Unknown,
    /// The last call went through.
    Up,
    /// The last call failed, with its sentence.
    Down(String),
}

/// Makes vectors. Implementations bound their own concurrency and never touch the store.
pub trait Embedder: Send + Sync + 'static {
    /// The vector space of the answers; `None` = embedding is switched off (`provider: none`).
    fn profile(&self) -> Option<Profile>;

    /// One vector per text, in order. A text's vector never depends on its neighbours in the call.
    fn embed(&self, role: EmbedRole, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>>;

    /// What the last call showed.
    fn availability(&self) -> Availability;

    /// Address for status pages; `None` for in-process models.
    fn address(&self) -> Option<String>;
}

/// Progress of the background embedding, for status pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrackerStatus {
    /// The loop runs.
    pub running: bool,
    /// Vectors stored since start.
    pub processed: u64,
    /// Texts that failed since start.
    pub failed: u64,
    /// Cycles skipped because the provider is down.
    pub skipped_cycles: u64,
    /// End of the last cycle.
    pub last_cycle_at: Option<crate::Timestamp>,
    /// Last failure's sentence.
    pub last_error: Option<String>,
}

/// The background embedding as the surfaces see it.
pub trait EmbeddingTracker: Send + Sync + 'static {
    /// There is new work.
    fn wake(&self);

    /// When nothing else waits: embeds this memory now and says whether its vector is stored.
    /// Under load, or when it takes longer than `patience`: `false`, and the queue does it.
    fn embed_now<'a>(
        &'a self,
        agent: &'a crate::AgentId,
        memory: &'a crate::MemoryId,
        patience: Duration,
    ) -> BoxFuture<'a, bool>;

    /// Progress.
    fn status(&self) -> TrackerStatus;
}

//! Ollama: `POST {base}/api/embed`, or `/api/embeddings` on servers that are too old for it.

use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use signet_model::embed::{Availability, BoxFuture, EmbedError, EmbedRole, Embedded, Embedder, Profile};

use super::{Server, ServerOptions};

/// An Ollama server.
#[derive(Debug)]
pub struct Ollama {
    server: Server,
    /// The server has no `/api/embed`.
    old: AtomicBool,
}

#[derive(Serialize)]
struct Batch<'a> {
    model: &'a str,
    input: &'a [String],
    /// A text that is too long is an error here: the queue cuts it and says so.
    truncate: bool,
}

#[derive(Deserialize)]
struct BatchAnswer {
    embeddings: Vec<Vec<Option<f32>>>,
}

#[derive(Serialize)]
struct One<'a> {
    model: &'a str,
    prompt: &'a str,
}

#[derive(Deserialize)]
struct OneAnswer {
    embedding: Vec<Option<f32>>,
}

impl Ollama {
    /// `Err`: what is wrong with the address.
    pub fn new(options: ServerOptions) -> Result<Self, String> {
        Ok(Self { server: Server::new(options)?, old: AtomicBool::new(false) })
    }

    async fn call(&self, texts: Vec<String>) -> Result<Vec<Embedded>, EmbedError> {
        if self.old.load(Ordering::Relaxed) {
            return self.one_by_one(&texts).await;
        }
        let model = &self.server.options.profile.model;
        let request = self.server.post("/api/embed").json(&Batch { model, input: &texts, truncate: false });
        match self.server.answer::<BatchAnswer>(request).await {
            Ok(answer) => self.server.vectors(texts.len(), answer.embeddings),
            // A missing model is a 404 with a JSON body; a missing route is not JSON.
            Err(refusal) if refusal.status == Some(StatusCode::NOT_FOUND) && !refusal.json => {
                self.old.store(true, Ordering::Relaxed);
                self.one_by_one(&texts).await
            }
            Err(refusal) => Err(refusal.error),
        }
    }

    async fn one_by_one(&self, texts: &[String]) -> Result<Vec<Embedded>, EmbedError> {
        let model = &self.server.options.profile.model;
        let mut vectors = Vec::new();
        for text in texts {
            let request = self.server.post("/api/embeddings").json(&One { model, prompt: text });
            let answer: OneAnswer = self.server.answer(request).await.map_err(|refusal| refusal.error)?;
            vectors.push(answer.embedding);
        }
        self.server.vectors(texts.len(), vectors)
    }
}

impl Embedder for Ollama {
    fn profile(&self) -> Option<Profile> {
        Some(self.server.options.profile.clone())
    }

    fn embed(&self, role: EmbedRole, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        Box::pin(async move {
            let texts = self.server.outgoing(role, texts);
            self.server.record(self.call(texts).await)
        })
    }

    fn availability(&self) -> Availability {
        self.server.availability()
    }

    fn address(&self) -> Option<String> {
        Some(self.server.options.base.clone())
    }
}

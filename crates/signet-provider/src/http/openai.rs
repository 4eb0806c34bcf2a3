//! `POST {base}/embeddings` as OpenAI, llama.cpp, vLLM and LM Studio speak it.

use serde::{Deserialize, Serialize};
use signet_model::embed::{Availability, BoxFuture, EmbedError, EmbedRole, Embedded, Embedder, Profile};

use super::{Server, ServerOptions, provider};

/// An OpenAI-compatible server.
#[derive(Debug)]
pub struct OpenAi {
    server: Server,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [String],
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    index: usize,
    embedding: Vec<Option<f32>>,
}

impl OpenAi {
    /// `Err`: what is wrong with the address.
    pub fn new(options: ServerOptions) -> Result<Self, String> {
        Ok(Self { server: Server::new(options)? })
    }

    async fn call(&self, texts: Vec<String>) -> Result<Vec<Embedded>, EmbedError> {
        let model = &self.server.options.profile.model;
        let body = Request { model, input: &texts, encoding_format: "float" };
        let request = self.server.post("/embeddings").json(&body);
        let mut answer: Answer = self.server.answer(request).await.map_err(|refusal| refusal.error)?;
        answer.data.sort_by_key(|row| row.index);
        if answer.data.iter().enumerate().any(|(place, row)| place != row.index) {
            return Err(provider(format!("{} sent vectors with wrong indexes", self.server.options.base)));
        }
        self.server.vectors(texts.len(), answer.data.into_iter().map(|row| row.embedding).collect())
    }
}

impl Embedder for OpenAi {
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

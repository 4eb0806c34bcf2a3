//! No embedding: the vector channel is off, everything else works.

use signet_model::embed::{
    Availability, BoxFuture, EmbedError, EmbedFailure, EmbedRole, Embedded, Embedder, Profile,
};

/// What status pages say when embedding is switched off.
pub const SWITCHED_OFF: &str = "Embedding provider set to 'none' — vector search disabled";

/// The provider `none`.
#[derive(Debug, Clone, Copy)]
pub struct NoEmbedder;

impl Embedder for NoEmbedder {
    fn profile(&self) -> Option<Profile> {
        None
    }

    fn embed(
        &self,
        _role: EmbedRole,
        _texts: Vec<String>,
    ) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        let message = SWITCHED_OFF.to_owned();
        Box::pin(std::future::ready(Err(EmbedError { class: EmbedFailure::Provider, message })))
    }

    fn availability(&self) -> Availability {
        Availability::Down(SWITCHED_OFF.to_owned())
    }

    fn address(&self) -> Option<String> {
        None
    }
}

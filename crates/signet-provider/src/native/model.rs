//! A loaded model: tokenizer and weights together.

use signet_model::embed::{EmbedError, EmbedFailure, Embedded};

use super::LoadError;
use super::folder::Folder;
use super::forward::{Scratch, encode};
use super::pack;
use super::tokenizer::TextTokenizer;
use super::weights::Weights;

/// Where a model is loaded from.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// The weights in the binary.
    BuiltIn,
    /// A folder the configuration names, checked when the embedder was built.
    Folder(Folder),
}

/// A model in memory.
#[derive(Debug)]
pub(super) struct Model {
    tokenizer: TextTokenizer,
    weights: Weights,
}

impl Model {
    /// Reads it; takes a quarter of a second for the built-in one.
    pub(super) fn load(source: &Source, max_tokens: usize) -> Result<Self, LoadError> {
        let (weights, tokenizer) = match source {
            Source::BuiltIn => (pack::weights()?, pack::tokenizer()?),
            Source::Folder(folder) => (folder.weights()?, folder.tokenizer()?),
        };
        let most = weights.shape.max_tokens.min(max_tokens);
        Ok(Self { tokenizer: TextTokenizer::new(&tokenizer, most)?, weights })
    }

    /// Vectors of the texts, in order.
    pub(super) fn embed(&self, scratch: &mut Scratch, texts: &[String]) -> Result<Vec<Embedded>, EmbedError> {
        let tokens = texts
            .iter()
            .map(|text| self.tokenizer.tokens(text))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|message| EmbedError { class: EmbedFailure::InvalidInput, message })?;
        let (ids, truncated): (Vec<_>, Vec<_>) = tokens.into_iter().map(|t| (t.ids, t.truncated)).unzip();
        let vectors = encode(&self.weights, scratch, &ids);
        Ok(vectors
            .into_iter()
            .zip(truncated)
            .map(|(vector, truncated)| Embedded { vector, truncated })
            .collect())
    }
}

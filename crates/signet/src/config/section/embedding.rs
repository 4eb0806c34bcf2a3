//! `embedding`: how vectors are made.

use super::super::check::Findings;
use super::super::key::{Key, Kind, key};

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key(
        "embedding.provider",
        Kind::Word(&["native", "openai", "ollama", "none", "local", "llama-cpp"]),
        "\"native\"",
        "native runs in the daemon and needs no network; local = native; llama-cpp = openai at http://127.0.0.1:8080/v1.",
    ),
    key("embedding.model", Kind::Text, "\"all-MiniLM-L6-v2\"", "Model."),
    key(
        "embedding.dimensions",
        Kind::Int(8, 8192),
        "384",
        "Length of a vector; must equal what the provider returns.",
    ),
    key(
        "embedding.modelDir",
        Kind::Text,
        "null",
        "native: folder with model.safetensors, tokenizer.json and config.json of another BERT-family model.",
    ),
    key("embedding.base_url", Kind::Url, "null", "Address of the provider; each has its usual one."),
    key("embedding.api_key", Kind::Secret, "null", "Key of the provider."),
    key("embedding.maxInputTokens", Kind::Int(128, 131_072), "null", "Longest text; by model when absent."),
    key("embedding.promptSubmitTimeoutMs", Kind::Millis(1000, 300_000), "1000", "Longest wait at a prompt."),
    key(
        "embedding.idleTtlMs",
        Kind::Millis(0, 86_400_000),
        "600000",
        "The model leaves memory after; 0 = never.",
    ),
    key("embedding.warmNative", Kind::Flag, "false", "Load the model at start, not on first use."),
    key("embedding.preloadNative", Kind::Flag, "false", "The same as warmNative."),
    key(
        "embedding.costRates.inputPerMillion",
        Kind::Number(0.0, f64::INFINITY),
        "null",
        "Price of a paid provider.",
    ),
];

/// A native model that is not the packed one comes from a folder.
pub(crate) fn validate(found: &mut Findings) {
    let provider = found.text("embedding.provider").unwrap_or_default();
    if !matches!(provider.as_str(), "native" | "local") || found.text("embedding.modelDir").is_some() {
        return;
    }
    let model = found.text("embedding.model").unwrap_or_default();
    if !model.ends_with("all-MiniLM-L6-v2") {
        found.refuse(
            "embedding.model",
            format!(
                "`embedding.model` `{model}` is not in the binary; name its folder in `embedding.modelDir`"
            ),
        );
    } else if found.int("embedding.dimensions") != Some(384) {
        found.refuse("embedding.dimensions", "`embedding.dimensions` of all-MiniLM-L6-v2 is 384".to_owned());
    }
}

//! Prefixes some models want before a text, by role.

use signet_model::embed::EmbedRole;

/// What a question is for, as the instruction-tuned models are told.
const TASK: &str = "Given a question, retrieve passages that answer it";

/// The prefix family of a model: `nomic`, `qwen3-embedding` or `legacy-raw`.
pub fn of_model(model: &str) -> &'static str {
    let model = model.to_lowercase();
    if model.contains("nomic-embed") {
        "nomic"
    } else if model.contains("qwen3-embedding") {
        "qwen3-embedding"
    } else {
        "legacy-raw"
    }
}

/// The text as the model wants it.
pub fn apply(family: &str, role: EmbedRole, text: String) -> String {
    match (family, role) {
        ("nomic", EmbedRole::Query) => format!("search_query: {text}"),
        ("nomic", EmbedRole::Document) => format!("search_document: {text}"),
        ("qwen3-embedding", EmbedRole::Query) => format!("Instruct: {TASK}\nQuery: {text}"),
        _ => text,
    }
}

/// [`apply`] for each text.
pub(crate) fn apply_all(family: &str, role: EmbedRole, texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(|text| apply(family, role, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_and_their_prefixes() {
        let check = |model: &str, query: &str, document: &str| {
            let family = of_model(model);
            assert_eq!(apply(family, EmbedRole::Query, "x".to_owned()), query);
            assert_eq!(apply(family, EmbedRole::Document, "x".to_owned()), document);
        };
        check("all-MiniLM-L6-v2", "x", "x");
        check("Nomic-Embed-text:latest", "search_query: x", "search_document: x");
        let question = format!("Instruct: {TASK}\nQuery: x");
        check("qwen3-embedding:0.6b", &question, "x");
    }
}

//! The embedder of the settings.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use signet_model::embed::Embedder;
use signet_provider::secret::Secret;
use signet_provider::settings::{self, EmbeddingSettings, Provider};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::config::settings::Embedding;
use crate::config::{Settings, secret};

/// Address of `llama-cpp`, which is an OpenAI-compatible server on this machine.
const LLAMA_CPP: &str = "http://127.0.0.1:8080/v1";

/// Builds the embedder. A setting it cannot use is refused like any other bad configuration: exit 2.
pub(super) fn build(settings: &Settings, cx: &Cx) -> Result<Arc<dyn Embedder>, Fail> {
    let wanted = wanted(&settings.embedding, cx)?;
    settings::build(&wanted).map_err(|error| Fail::usage(error.to_string()).hint("signet config check"))
}

fn wanted(embedding: &Embedding, cx: &Cx) -> Result<EmbeddingSettings, Fail> {
    let provider = match embedding.provider.as_str() {
        "openai" | "llama-cpp" => Provider::OpenAi,
        "ollama" => Provider::Ollama,
        "none" => Provider::None,
        _ => Provider::Native,
    };
    let usual = match embedding.provider.as_str() {
        "llama-cpp" => Some(LLAMA_CPP.to_owned()),
        "ollama" => cx.env.get("OLLAMA_HOST").map(with_scheme),
        _ => None,
    };
    let model = embedding.model.rsplit('/').next().unwrap_or_default();
    Ok(EmbeddingSettings {
        provider,
        // The packed model may be written with its publisher, as the catalogues do.
        model: Some(if provider == Provider::Native { model.to_owned() } else { embedding.model.clone() }),
        dimensions: Some(embedding.dimensions),
        model_dir: embedding.model_dir.as_ref().map(|folder| in_workspace(cx, folder)).transpose()?,
        base_url: embedding.base_url.clone().or(usual),
        api_key: key(embedding, cx)?,
        max_tokens: embedding.max_input_tokens,
        idle: Duration::from_millis(embedding.idle_ttl_ms),
        warm: embedding.warm_native || embedding.preload_native,
    })
}

/// A key that is missing does not stop the daemon: it is told, and calls fail until it is there.
fn key(embedding: &Embedding, cx: &Cx) -> Result<Option<Secret>, Fail> {
    let Some(text) = &embedding.api_key else { return Ok(None) };
    match secret::resolve(text, &cx.workspace()?.root, &cx.env) {
        Ok(key) => Ok(Some(Secret::new(key))),
        Err(why) => {
            tracing::warn!("embedding.api_key: {why}");
            Ok(None)
        }
    }
}

fn in_workspace(cx: &Cx, folder: &str) -> Result<PathBuf, Fail> {
    Ok(cx.workspace()?.root.join(folder))
}

fn with_scheme(host: &str) -> String {
    if host.contains("://") { host.to_owned() } else { format!("http://{host}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;

    fn of(text: &str, vars: &[(&str, &str)]) -> EmbeddingSettings {
        let mut vars = vars.to_vec();
        vars.push(("SIGNET_WORKSPACE", "/w"));
        let cx = Cx::of(&["status"], &vars);
        let settings = load::from_text(text.as_bytes(), &cx.env).settings.unwrap();
        wanted(&settings.embedding, &cx).unwrap()
    }

    #[test]
    fn words_of_the_file_become_providers() {
        let native =
            of("embedding:\n  provider: local\n  model: sentence-transformers/all-MiniLM-L6-v2\n", &[]);
        assert_eq!((native.provider, native.model.as_deref()), (Provider::Native, Some("all-MiniLM-L6-v2")));
        let llama = of("embedding:\n  provider: llama-cpp\n  model: m\n  dimensions: 8\n", &[]);
        assert_eq!((llama.provider, llama.base_url.as_deref()), (Provider::OpenAi, Some(LLAMA_CPP)));
        let ollama = of("embedding:\n  provider: ollama\n  model: m\n", &[("OLLAMA_HOST", "box:1")]);
        assert_eq!((ollama.provider, ollama.base_url.as_deref()), (Provider::Ollama, Some("http://box:1")));
        assert_eq!(of("embedding:\n  provider: none\n", &[]).provider, Provider::None);
    }

    #[test]
    fn folders_and_keys_are_resolved_in_the_workspace() {
        let folder = of("embedding:\n  modelDir: models/x\n  preloadNative: true\n", &[]);
        assert_eq!((folder.model_dir, folder.warm), (Some(PathBuf::from("/w/models/x")), true));
        let text = "embedding:\n  provider: openai\n  model: m\n  api_key: env:KEY\n";
        assert_eq!(of(text, &[("KEY", "k")]).api_key, Some(Secret::new("k")));
        assert_eq!(of(text, &[]).api_key, None);
    }
}

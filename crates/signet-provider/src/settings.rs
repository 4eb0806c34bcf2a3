//! From settings to an embedder. The binary reads the configuration file and the environment; this only
//! sees plain values.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use signet_model::embed::{Embedder, Profile};

use crate::http::ServerOptions;
use crate::http::ollama::Ollama;
use crate::http::openai::OpenAi;
use crate::native::{NativeEmbedder, NativeOptions};
use crate::none::NoEmbedder;
use crate::prefix;
use crate::secret::Secret;

/// Time for a request to an embedding server.
const REQUEST: Duration = Duration::from_secs(30);

/// Which kind of provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// In this process.
    Native,
    /// An OpenAI-compatible server.
    OpenAi,
    /// Ollama.
    Ollama,
    /// Switched off.
    None,
}

/// The section `embedding` of the configuration, keys resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingSettings {
    /// `embedding.provider`.
    pub provider: Provider,
    /// `embedding.model`; the built-in model when absent.
    pub model: Option<String>,
    /// `embedding.dimensions`; those of the built-in model when absent.
    pub dimensions: Option<usize>,
    /// `embedding.modelDir`, native only.
    pub model_dir: Option<PathBuf>,
    /// `embedding.base_url`; the provider's usual address when absent.
    pub base_url: Option<String>,
    /// `embedding.api_key`, resolved.
    pub api_key: Option<Secret>,
    /// `embedding.maxInputTokens`, native only: servers know their own limit.
    pub max_tokens: Option<usize>,
    /// `embedding.idleTtlMs`; zero = never unloaded.
    pub idle: Duration,
    /// `embedding.warmNative`: load at start.
    pub warm: bool,
}

impl Default for EmbeddingSettings {
    /// The built-in model.
    fn default() -> Self {
        Self {
            provider: Provider::Native,
            model: None,
            dimensions: None,
            model_dir: None,
            base_url: None,
            api_key: None,
            max_tokens: None,
            idle: Duration::from_mins(10),
            warm: false,
        }
    }
}

/// Settings that cannot be used, by key of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {message}")]
pub struct SettingsError {
    /// The key at fault.
    pub key: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

fn fault(key: &'static str, message: impl Into<String>) -> SettingsError {
    SettingsError { key, message: message.into() }
}

/// Makes the embedder of the settings. Calls nobody; reads the folder of `modelDir` when one is named.
pub fn build(settings: &EmbeddingSettings) -> Result<Arc<dyn Embedder>, SettingsError> {
    match settings.provider {
        Provider::None => Ok(Arc::new(NoEmbedder)),
        Provider::Native => native(settings),
        Provider::Ollama => {
            let options = server(settings, "ollama", "http://127.0.0.1:11434")?;
            Ok(Arc::new(Ollama::new(options).map_err(|message| fault("embedding.base_url", message))?))
        }
        Provider::OpenAi => {
            let options = server(settings, "openai", "https://api.openai.com/v1")?;
            if options.key.is_none() && options.base.contains("://api.openai.com") {
                return Err(fault(
                    "embedding.api_key",
                    "api.openai.com needs a key, such as env:OPENAI_API_KEY",
                ));
            }
            Ok(Arc::new(OpenAi::new(options).map_err(|message| fault("embedding.base_url", message))?))
        }
    }
}

/// Name of the built-in model, as a configuration may write it.
const BUILT_IN: &str = "all-MiniLM-L6-v2";

fn native(settings: &EmbeddingSettings) -> Result<Arc<dyn Embedder>, SettingsError> {
    if let (None, Some(model)) = (&settings.model_dir, &settings.model)
        && model != BUILT_IN
    {
        let message =
            format!("the binary holds {BUILT_IN} only; name the folder of `{model}` in embedding.modelDir");
        return Err(fault("embedding.model", message));
    }
    let mut options = NativeOptions { model_dir: settings.model_dir.clone(), ..NativeOptions::default() };
    options.idle = settings.idle;
    if let Some(most) = settings.max_tokens {
        options.max_tokens = most;
    } else if settings.model_dir.is_some() {
        options.max_tokens = usize::MAX;
    }
    let embedder =
        NativeEmbedder::new(&options).map_err(|cause| fault("embedding.modelDir", cause.to_string()))?;
    let found = embedder.profile().map_or(0, |profile| profile.dimensions);
    if let Some(dimensions) = settings.dimensions.filter(|dimensions| *dimensions != found) {
        let message = format!("{dimensions} does not match the model, whose vectors have {found} values");
        return Err(fault("embedding.dimensions", message));
    }
    if settings.warm {
        embedder.warm();
    }
    Ok(Arc::new(embedder))
}

fn server(settings: &EmbeddingSettings, provider: &str, usual: &str) -> Result<ServerOptions, SettingsError> {
    let Some(model) = settings.model.clone().filter(|model| !model.is_empty()) else {
        return Err(fault("embedding.model", format!("provider {provider} needs the name of a model")));
    };
    let Some(dimensions) = settings.dimensions else {
        let message = format!("provider {provider} needs the length of the model's vectors");
        return Err(fault("embedding.dimensions", message));
    };
    let base = settings.base_url.as_deref().unwrap_or(usual).trim_end_matches('/').to_owned();
    let prefix = prefix::of_model(&model);
    let profile = Profile { provider: provider.to_owned(), model, dimensions, prefix };
    Ok(ServerOptions { profile, base, key: settings.api_key.clone(), timeout: REQUEST })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(provider: Provider) -> EmbeddingSettings {
        EmbeddingSettings { provider, ..EmbeddingSettings::default() }
    }

    fn refused(settings: &EmbeddingSettings, expect: &str) {
        let message = build(settings).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.starts_with(expect), "{message}");
    }

    #[test]
    fn each_provider_has_its_space_and_address() {
        let native = build(&with(Provider::Native)).unwrap();
        let expect =
            r#"{"dimensions":384,"model":"all-MiniLM-L6-v2","profile":"legacy-raw","provider":"native"}"#;
        assert_eq!(native.profile().unwrap().fingerprint(), expect);
        assert_eq!(native.address(), None);
        let mut settings = with(Provider::Ollama);
        settings.model = Some("nomic-embed-text".to_owned());
        settings.dimensions = Some(768);
        let ollama = build(&settings).unwrap();
        assert_eq!(ollama.address().as_deref(), Some("http://127.0.0.1:11434"));
        assert_eq!(ollama.profile().unwrap().prefix, "nomic");
        settings.base_url = Some("http://10.0.0.2:11434/".to_owned());
        let moved = build(&settings).unwrap();
        assert_eq!(moved.address().as_deref(), Some("http://10.0.0.2:11434"));
        assert_eq!(moved.profile(), ollama.profile(), "an address is no part of the space");
        assert_eq!(build(&with(Provider::None)).unwrap().profile(), None);
    }

    #[test]
    fn settings_that_cannot_work_are_refused_by_key() {
        let mut settings = with(Provider::OpenAi);
        refused(&settings, "embedding.model: provider openai needs");
        settings.model = Some("text-embedding-3-small".to_owned());
        refused(&settings, "embedding.dimensions: provider openai needs");
        settings.dimensions = Some(1536);
        refused(&settings, "embedding.api_key: api.openai.com needs a key");
        settings.api_key = Some(Secret::new("sk-1"));
        assert!(build(&settings).is_ok());
        for base in ["ftp://x", "nonsense", "http://user:pw@host/v1"] {
            settings.base_url = Some(base.to_owned());
            refused(&settings, "embedding.base_url: ");
        }
        let mut settings = with(Provider::Native);
        settings.dimensions = Some(768);
        refused(&settings, "embedding.dimensions: 768 does not match");
        settings = with(Provider::Native);
        settings.model = Some("bge-small".to_owned());
        refused(&settings, "embedding.model: the binary holds all-MiniLM-L6-v2 only");
        settings.model_dir = Some("/nowhere/at/all".into());
        refused(&settings, "embedding.modelDir: /nowhere/at/all/config.json");
    }
}

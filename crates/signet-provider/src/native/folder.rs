//! Other BERT-family models from a folder: `model.safetensors`, `tokenizer.json`, `config.json`, and
//! `1_Pooling/config.json` where the model has one.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::LoadError;
use super::safetensors;
use super::weights::{Pooling, Shape, Weights};

/// A model's folder, its description checked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Folder {
    path: PathBuf,
    shape: Shape,
    /// Length of its vectors.
    pub(super) dimensions: usize,
    /// The folder's name and the first 12 hex digits of the weights' SHA-256.
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
struct Config {
    model_type: String,
    hidden_size: usize,
    num_attention_heads: usize,
    max_position_embeddings: usize,
    #[serde(default = "usual_epsilon")]
    layer_norm_eps: f32,
    #[serde(default)]
    hidden_act: Option<String>,
    #[serde(default)]
    position_embedding_type: Option<String>,
}

const fn usual_epsilon() -> f32 {
    1e-12
}

#[derive(Debug, Deserialize)]
struct PoolingConfig {
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
}

impl Folder {
    /// Checks the folder and hashes its weights. Errors name the file and what is wrong with it.
    pub(super) fn open(path: &Path) -> Result<Self, LoadError> {
        let config: Config = json(&path.join("config.json"))?;
        let refuse = |what: &str, found: &str| {
            LoadError::new(format!(
                "{}: {what} `{found}` is not supported",
                path.join("config.json").display()
            ))
        };
        if config.model_type != "bert" {
            return Err(refuse("model_type", &config.model_type));
        }
        match config.hidden_act.as_deref() {
            None | Some("gelu") => {}
            Some(other) => return Err(refuse("hidden_act", other)),
        }
        match config.position_embedding_type.as_deref() {
            None | Some("absolute") => {}
            Some(other) => return Err(refuse("position_embedding_type", other)),
        }
        let shape = Shape {
            heads: config.num_attention_heads,
            epsilon: config.layer_norm_eps,
            pooling: pooling(path)?,
            max_tokens: config.max_position_embeddings,
        };
        let weights = path.join("model.safetensors");
        let hash =
            sha256(&weights).map_err(|cause| LoadError::new(format!("{}: {cause}", weights.display())))?;
        let own = path.file_name().map_or_else(|| "model".into(), |name| name.to_string_lossy());
        let name = format!("{own}@{}", &hash[..12]);
        let folder = Self { path: path.to_owned(), shape, dimensions: config.hidden_size, name };
        folder.tokenizer()?;
        Ok(folder)
    }

    pub(super) fn weights(&self) -> Result<Weights, LoadError> {
        let path = self.path.join("model.safetensors");
        let weights = Weights::take(safetensors::read(&path)?, self.shape)
            .map_err(|cause| LoadError::new(format!("{}: {cause}", path.display())))?;
        if weights.hidden == self.dimensions {
            return Ok(weights);
        }
        Err(LoadError::new(format!(
            "{}: vectors have {} values, config.json says {}",
            path.display(),
            weights.hidden,
            self.dimensions
        )))
    }

    pub(super) fn tokenizer(&self) -> Result<Vec<u8>, LoadError> {
        let path = self.path.join("tokenizer.json");
        std::fs::read(&path).map_err(|cause| LoadError::new(format!("{}: {cause}", path.display())))
    }
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, LoadError> {
    let bytes =
        std::fs::read(path).map_err(|cause| LoadError::new(format!("{}: {cause}", path.display())))?;
    serde_json::from_slice(&bytes).map_err(|cause| LoadError::new(format!("{}: {cause}", path.display())))
}

fn pooling(path: &Path) -> Result<Pooling, LoadError> {
    let file = path.join("1_Pooling").join("config.json");
    if !file.exists() {
        return Ok(Pooling::Mean);
    }
    match json::<PoolingConfig>(&file)? {
        PoolingConfig { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false } => Ok(Pooling::First),
        PoolingConfig { pooling_mode_cls_token: false, pooling_mode_mean_tokens: true } => Ok(Pooling::Mean),
        _ => Err(LoadError::new(format!("{}: only mean or cls pooling is supported", file.display()))),
    }
}

fn sha256(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0_u8; 1 << 20]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(format!("{:x}", hash.finalize()));
        }
        hash.update(&buffer[..read]);
    }
}

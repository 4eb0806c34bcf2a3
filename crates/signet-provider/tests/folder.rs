//! Models from a folder: a tiny encoder in the safetensors layout, and every way such a folder can be wrong.

#![expect(clippy::expect_used, reason = "tests")]

use std::fs;
use std::path::Path;

use signet_model::embed::{EmbedRole, Embedder, Profile};
use signet_provider::native::{NativeEmbedder, NativeOptions};

const HIDDEN: usize = 4;
const WORDS: usize = 30_522;

/// Names and shapes of an encoder with one layer.
fn tensors() -> Vec<(String, Vec<usize>)> {
    let mut tensors = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![WORDS, HIDDEN]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![16, HIDDEN]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, HIDDEN]),
    ];
    let layer = "encoder.layer.0";
    for (name, out, input) in [
        ("attention.self.query", HIDDEN, HIDDEN),
        ("attention.self.key", HIDDEN, HIDDEN),
        ("attention.self.value", HIDDEN, HIDDEN),
        ("attention.output.dense", HIDDEN, HIDDEN),
        ("intermediate.dense", 8, HIDDEN),
        ("output.dense", HIDDEN, 8),
    ] {
        tensors.push((format!("{layer}.{name}.weight"), vec![out, input]));
        tensors.push((format!("{layer}.{name}.bias"), vec![out]));
    }
    for name in ["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"] {
        tensors.push((format!("{name}.LayerNorm.weight"), vec![HIDDEN]));
        tensors.push((format!("{name}.LayerNorm.bias"), vec![HIDDEN]));
    }
    tensors
}

/// A safetensors file of these tensors with some values, names under `prefix`.
fn safetensors(tensors: &[(String, Vec<usize>)], prefix: &str) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (number, (name, shape)) in tensors.iter().enumerate() {
        let start = data.len();
        for value in 0..shape.iter().product::<usize>() {
            data.extend_from_slice(&((value * 7 + number) as f32).sin().to_le_bytes());
        }
        let entry =
            serde_json::json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
        header.insert(format!("{prefix}{name}"), entry);
    }
    let header = serde_json::to_vec(&header).expect("header");
    [(header.len() as u64).to_le_bytes().as_slice(), &header, &data].concat()
}

const CONFIG: &str =
    r#"{"model_type":"bert","hidden_size":4,"num_attention_heads":2,"max_position_embeddings":16}"#;

fn folder(path: &Path, prefix: &str) {
    fs::create_dir_all(path).expect("folder");
    fs::write(path.join("config.json"), CONFIG).expect("config");
    let tokenizer = include_bytes!("../../../assets/minilm-l6-v2.tokenizer.json.zst");
    fs::write(path.join("tokenizer.json"), zstd::decode_all(&tokenizer[..]).expect("asset"))
        .expect("tokenizer");
    fs::write(path.join("model.safetensors"), safetensors(&tensors(), prefix)).expect("weights");
}

fn open(path: &Path) -> Result<NativeEmbedder, String> {
    let options = NativeOptions { model_dir: Some(path.to_owned()), ..NativeOptions::default() };
    NativeEmbedder::new(&options).map_err(|error| error.to_string())
}

async fn vector(embedder: &NativeEmbedder, text: &str) -> Result<Vec<f32>, String> {
    let answer = embedder.embed(EmbedRole::Document, vec![text.to_owned()]).await;
    answer.map(|mut all| all.remove(0).vector).map_err(|error| error.message)
}

#[tokio::test]
async fn a_folder_is_a_model_of_its_own_named_by_its_weights() {
    let temp = tempfile::tempdir().expect("folder");
    let (plain, prefixed) = (temp.path().join("tiny"), temp.path().join("other"));
    folder(&plain, "");
    folder(&prefixed, "bert.");
    let (plain, prefixed) = (open(&plain).expect("opens"), open(&prefixed).expect("opens"));
    let profile = plain.profile().expect("a profile");
    let hash = profile.model.strip_prefix("tiny@").expect("folder name first");
    assert!(hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    let expect = Profile {
        provider: "native".to_owned(),
        dimensions: HIDDEN,
        prefix: "legacy-raw",
        ..profile.clone()
    };
    assert_eq!(profile, expect);
    assert_ne!(profile.fingerprint(), prefixed.profile().expect("a profile").fingerprint());
    let one = vector(&plain, "some words of a text").await.expect("embeds");
    assert_eq!(one.len(), HIDDEN);
    assert_eq!(vector(&prefixed, "some words of a text").await, Ok(one.clone()));
    assert_ne!(vector(&plain, "other words").await, Ok(one));
}

#[tokio::test]
async fn broken_folders_are_refused_by_file_and_fault() {
    let temp = tempfile::tempdir().expect("folder");
    let path = temp.path();
    let refused = |file: &str, content: &[u8], expect: &str| {
        folder(path, "");
        fs::write(path.join(file), content).expect("write");
        let message = open(path).expect_err("refused");
        assert!(message.contains(file) && message.contains(expect), "{message}");
    };
    refused("config.json", b"{", "EOF while parsing");
    refused("config.json", b"{}", "missing field `model_type`");
    refused(
        "config.json",
        CONFIG.replace("\"bert\"", "\"llama\"").as_bytes(),
        "model_type `llama` is not supported",
    );
    let relu = CONFIG.replace("{\"m", "{\"hidden_act\":\"relu\",\"m");
    refused("config.json", relu.as_bytes(), "hidden_act `relu` is not supported");
    fs::create_dir_all(path.join("1_Pooling")).expect("folder");
    refused("1_Pooling/config.json", b"{}", "only mean or cls pooling is supported");
    fs::remove_dir_all(path.join("1_Pooling")).expect("remove");
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        folder(path, "");
        fs::remove_file(path.join(file)).expect("remove");
        let message = open(path).expect_err("refused");
        assert!(message.contains(file), "{message}");
    }
    folder(path, "");
    open(path).expect("the whole folder opens");
}

#[tokio::test]
async fn broken_weights_are_an_error_of_the_provider_and_nothing_panics() {
    let temp = tempfile::tempdir().expect("folder");
    let whole = safetensors(&tensors(), "");
    let mut without = tensors();
    without.retain(|(name, _)| name != "encoder.layer.0.output.dense.bias");
    let mut other_shape = tensors();
    other_shape[3].1 = vec![HIDDEN, 3];
    for (number, (weights, expect)) in [
        (b"x".to_vec(), "failed to fill whole buffer"),
        (vec![0xff; 64], "not a safetensors file"),
        (whole[..whole.len() - 5].to_vec(), "the file ends before the tensor does"),
        (safetensors(&without, ""), "no tensor `encoder.layer.0.output.dense.bias`"),
        (
            safetensors(&other_shape, ""),
            "`encoder.layer.0.attention.self.query.weight` is 4 x 3, expected 4 x 4",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let path = temp.path().join(number.to_string());
        folder(&path, "");
        fs::write(path.join("model.safetensors"), weights).expect("write");
        let embedder = open(&path).expect("weights are read at first use");
        let message = vector(&embedder, "text").await.expect_err("refused");
        assert!(message.contains("model.safetensors") && message.contains(expect), "{message}");
    }
}

#[test]
fn a_limit_without_room_for_text_is_refused_at_first_use() {
    let temp = tempfile::tempdir().expect("folder");
    folder(temp.path(), "");
    let config = CONFIG.replace("\"max_position_embeddings\":16", "\"max_position_embeddings\":17");
    fs::write(temp.path().join("config.json"), config).expect("write");
    let embedder = open(temp.path()).expect("opens");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
    let message = runtime.block_on(vector(&embedder, "text")).expect_err("refused");
    assert!(message.contains("the model has no 17 positions"), "{message}");
}

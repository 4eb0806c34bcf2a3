//! Reads the packed weights that are compiled into the binary; the format is described in
//! `assets/README.md`. The frame is decompressed as a stream, so that only the tensors stay.

use std::io::Read;

use serde::Deserialize;

use super::LoadError;
use super::weights::{Matrix, Pooling, Shape, Tensor, Tensors, Weights};

/// The built-in model's name, as its profile carries it.
pub(crate) const MODEL: &str = "all-MiniLM-L6-v2";
/// Length of its vectors.
pub(crate) const DIMENSIONS: usize = 384;
/// Most tokens of a text, the two special ones included: the length it was trained on.
pub(crate) const MAX_TOKENS: usize = 256;

// Not touched until the first use: until then no page of them is resident.
static WEIGHTS: &[u8] = include_bytes!("../../../../assets/minilm-l6-v2.pack.zst");
static TOKENIZER: &[u8] = include_bytes!("../../../../assets/minilm-l6-v2.tokenizer.json.zst");

#[derive(Debug, Deserialize)]
struct Header {
    heads: usize,
    layer_norm_eps: f32,
    tensors: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    name: String,
    kind: String,
    rows: usize,
    columns: usize,
}

/// The weights of the built-in model.
pub(super) fn weights() -> Result<Weights, LoadError> {
    let frame = zstd::Decoder::with_buffer(WEIGHTS).map_err(LoadError::new)?;
    read(frame)
}

/// `tokenizer.json` of the built-in model.
pub(super) fn tokenizer() -> Result<Vec<u8>, LoadError> {
    zstd::decode_all(TOKENIZER).map_err(LoadError::new)
}

fn read(mut file: impl Read) -> Result<Weights, LoadError> {
    if take::<8>(&mut file)? != *b"SGNTPACK" || u32::from_le_bytes(take(&mut file)?) != 1 {
        return Err(LoadError::new("not a weights pack of version 1"));
    }
    let length = u32::from_le_bytes(take(&mut file)?) as usize;
    let header: Header = serde_json::from_slice(&bytes(&mut file, length)?).map_err(LoadError::new)?;
    let mut tensors = Tensors::new();
    for entry in header.tensors {
        let (rows, columns) = (entry.rows, entry.columns);
        let tensor = match entry.kind.as_str() {
            "f32" => Tensor::Plain { values: floats(&mut file, rows * columns)?, columns },
            "i8" => {
                let scales = floats(&mut file, rows)?;
                let bytes = bytes(&mut file, rows * columns)?.into_iter().map(u8::cast_signed).collect();
                Tensor::Packed(Matrix { rows, columns, scales, bytes })
            }
            other => return Err(LoadError::new(format!("`{}` is of unknown kind {other}", entry.name))),
        };
        tensors.insert(entry.name, tensor);
    }
    let shape = Shape {
        heads: header.heads,
        epsilon: header.layer_norm_eps,
        pooling: Pooling::Mean,
        max_tokens: MAX_TOKENS,
    };
    Weights::take(tensors, shape)
}

fn take<const N: usize>(file: &mut impl Read) -> Result<[u8; N], LoadError> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map_err(LoadError::new)?;
    Ok(bytes)
}

fn bytes(file: &mut impl Read, length: usize) -> Result<Vec<u8>, LoadError> {
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes).map_err(LoadError::new)?;
    Ok(bytes)
}

fn floats(file: &mut impl Read, count: usize) -> Result<Vec<f32>, LoadError> {
    let bytes = bytes(file, count * 4)?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(header: &str, data: &[u8]) -> Vec<u8> {
        let mut file = b"SGNTPACK\x01\0\0\0".to_vec();
        file.extend_from_slice(&(header.len() as u32).to_le_bytes());
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(data);
        file
    }

    #[test]
    fn broken_packs_are_refused_by_name() {
        let check = |file: &[u8], expect: &str| {
            let message = read(file).unwrap_err().to_string();
            assert!(message.contains(expect), "{message}");
        };
        check(b"SGNTPAC", "failed to fill whole buffer");
        check(b"SGNTPACK\x02\0\0\0\0\0\0\0", "not a weights pack of version 1");
        check(&pack("{}", b""), "missing field");
        let header =
            r#"{"heads":1,"layer_norm_eps":0,"tensors":[{"name":"a","kind":"i8","rows":1,"columns":2}]}"#;
        check(&pack(header, &[0; 5]), "failed to fill whole buffer");
        check(&pack(header, &[0; 6]), "no tensor `embeddings.word_embeddings.weight`");
        check(&pack(&header.replace("i8", "q4"), &[]), "`a` is of unknown kind q4");
    }

    #[test]
    fn the_built_in_weights_are_whole() {
        let weights = weights().unwrap();
        assert_eq!((weights.layers.len(), weights.hidden, weights.intermediate), (6, DIMENSIONS, 1536));
        assert_eq!((weights.words.rows, weights.positions.len()), (30522, MAX_TOKENS * DIMENSIONS));
    }
}

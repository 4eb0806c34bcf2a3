//! The packed layout, as `assets/README.md` describes it.

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::safetensors::{Tensor, Tensors};

/// Positions that are ever used: the model was trained on texts of at most this many tokens.
const MAX_TOKENS: usize = 256;
const LAYERS: usize = 6;

/// Packs the encoder (without the pooler, which sentence vectors do not use).
pub(crate) fn pack(tensors: &Tensors, source_sha256: &str) -> anyhow::Result<Vec<u8>> {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for name in names() {
        let tensor = tensors.get(&name).with_context(|| format!("the weights have no tensor {name}"))?;
        let (rows, columns) = match tensor.shape[..] {
            [rows, columns] if name.contains("position_embeddings") => (rows.min(MAX_TOKENS), columns),
            [rows, columns] => (rows, columns),
            [columns] => (1, columns),
            _ => anyhow::bail!("tensor {name} has {} axes", tensor.shape.len()),
        };
        let kept = tensor.values.get(..rows * columns).context("a tensor is shorter than its shape")?;
        let kind = kind_of(&name, tensor);
        if kind == "i8" {
            quantise(kept, columns, &mut data)?;
        } else {
            data.extend(kept.iter().flat_map(|value| value.to_le_bytes()));
        }
        entries.push(json!({ "name": name, "kind": kind, "rows": rows, "columns": columns }));
    }
    let header = json!({
        "model": "all-MiniLM-L6-v2",
        "source_sha256": source_sha256,
        "heads": 12,
        "layer_norm_eps": 1e-12,
        "tensors": entries,
    });
    let header = serde_json::to_vec(&header)?;
    let mut file = b"SGNTPACK".to_vec();
    file.extend_from_slice(&1_u32.to_le_bytes());
    file.extend_from_slice(&u32::try_from(header.len())?.to_le_bytes());
    file.extend_from_slice(&header);
    file.extend_from_slice(&data);
    Ok(file)
}

fn names() -> Vec<String> {
    let mut names = [
        "word_embeddings.weight",
        "position_embeddings.weight",
        "token_type_embeddings.weight",
        "LayerNorm.weight",
        "LayerNorm.bias",
    ]
    .map(|end| format!("embeddings.{end}"))
    .to_vec();
    for layer in 0..LAYERS {
        for part in [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
            "attention.output.LayerNorm",
            "intermediate.dense",
            "output.dense",
            "output.LayerNorm",
        ] {
            names.extend(["weight", "bias"].map(|end| format!("encoder.layer.{layer}.{part}.{end}")));
        }
    }
    names
}

/// Matrices that are multiplied or looked up by row are int8; the small rest keeps its precision.
fn kind_of(name: &str, tensor: &Tensor) -> &'static str {
    let small = name.contains("position") || name.contains("token_type") || tensor.shape.len() == 1;
    if small { "f32" } else { "i8" }
}

/// Symmetric int8 with one scale a row: all scales first, then all rows.
fn quantise(values: &[f32], columns: usize, data: &mut Vec<u8>) -> anyhow::Result<()> {
    ensure!(values.iter().all(|value| value.is_finite()), "a weight is not finite");
    let scales: Vec<f32> = values
        .chunks(columns)
        .map(|row| row.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / 127.0)
        .collect();
    data.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
    for (row, scale) in values.chunks(columns).zip(&scales) {
        let step = if *scale > 0.0 { *scale } else { 1.0 };
        data.extend(row.iter().map(|value| ((value / step).round() as i8).cast_unsigned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_int8_times_its_scale_is_the_row_to_half_a_step() {
        let values = [0.5, -1.27, 0.004, 0.0, 0.0, 0.0];
        let mut data = Vec::new();
        quantise(&values, 3, &mut data).unwrap();
        let scale = f32::from_le_bytes([data[0], data[1], data[2], data[3]]);
        for (byte, value) in data[8..11].iter().zip(&values) {
            assert!((f32::from(byte.cast_signed()) * scale - value).abs() <= scale / 2.0 + 1e-6);
        }
        assert_eq!(data[4..8], [0; 4], "a row of zeroes has scale 0");
        assert_eq!(data[11..], [0; 3]);
        assert!(quantise(&[f32::NAN], 1, &mut data).is_err());
    }

    #[test]
    fn a_missing_tensor_is_named() {
        let error = pack(&Tensors::new(), "").unwrap_err().to_string();
        assert_eq!(error, "the weights have no tensor embeddings.word_embeddings.weight");
    }
}

//! Reads the safetensors layout: u64 length, JSON header, data.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// Tensors of f32 by name.
pub(crate) type Tensors = BTreeMap<String, Tensor>;

/// One tensor of f32.
#[derive(Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f32>,
}

pub(crate) fn parse(file: &[u8]) -> anyhow::Result<Tensors> {
    let (length, rest) = file.split_first_chunk::<8>().context("the file is shorter than its header")?;
    let length = usize::try_from(u64::from_le_bytes(*length))?;
    ensure!(length <= rest.len(), "the header is longer than the file");
    let (header, data) = rest.split_at(length);
    let header: BTreeMap<String, Value> = serde_json::from_slice(header).context("the header is not JSON")?;
    let mut tensors = Tensors::new();
    for (name, entry) in header {
        if entry["dtype"] == "F32" {
            let tensor = tensor(&entry, data).with_context(|| format!("tensor {name}"))?;
            tensors.insert(name, tensor);
        }
    }
    Ok(tensors)
}

fn tensor(entry: &Value, data: &[u8]) -> anyhow::Result<Tensor> {
    let shape: Vec<usize> = serde_json::from_value(entry["shape"].clone())?;
    let [start, end]: [usize; 2] = serde_json::from_value(entry["data_offsets"].clone())?;
    let bytes = data.get(start..end).context("the data ends before the tensor does")?;
    ensure!(bytes.len() == 4 * shape.iter().product::<usize>(), "shape and length disagree");
    let values = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    Ok(Tensor { shape, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_f32_tensors_and_names_what_is_wrong() {
        let header = br#"{"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}"#;
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header);
        file.extend_from_slice(&1.5_f32.to_le_bytes());
        file.extend_from_slice(&(-2.0_f32).to_le_bytes());
        let expect = Tensor { shape: vec![1, 2], values: vec![1.5, -2.0] };
        assert_eq!(parse(&file).unwrap(), Tensors::from([("a".to_owned(), expect)]));
        file.pop();
        let error = format!("{:#}", parse(&file).unwrap_err());
        assert_eq!(error, "tensor a: the data ends before the tensor does");
        assert!(parse(b"short").is_err());
    }
}

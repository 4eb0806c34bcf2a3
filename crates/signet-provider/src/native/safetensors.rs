//! Reads a safetensors file (u64 length, JSON header, data) tensor by tensor, so that a file of any size
//! is never in memory as a whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::LoadError;
use super::weights::{Tensor, Tensors, quantise};

/// Headers of real files have a few hundred kilobytes.
const MOST_HEADER: u64 = 64 << 20;

#[derive(Debug, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

/// Reads all float tensors, matrices but the position and type tables as int8. A `bert.` in front of the
/// names is dropped.
pub(super) fn read(path: &Path) -> Result<Tensors, LoadError> {
    let fault = |cause: &dyn std::fmt::Display| LoadError::new(format!("{}: {cause}", path.display()));
    let mut file = File::open(path).map_err(|cause| fault(&cause))?;
    let (header, start) = header(&mut file).map_err(|cause| fault(&cause))?;
    let mut tensors = Tensors::new();
    for (name, entry) in header {
        let Ok(entry) = serde_json::from_value::<Entry>(entry) else { continue };
        if !matches!(entry.dtype.as_str(), "F32" | "F16" | "BF16") {
            continue;
        }
        let values =
            values(&mut file, start, &entry).map_err(|cause| fault(&format!("tensor `{name}`: {cause}")))?;
        let name = name.strip_prefix("bert.").unwrap_or(&name).to_owned();
        let small = name.contains("position_embeddings") || name.contains("token_type_embeddings");
        let tensor = match entry.shape[..] {
            [_, columns] if !small => Tensor::Packed(quantise(&values, columns)),
            _ => Tensor::Plain { columns: entry.shape.last().copied().unwrap_or(1), values },
        };
        tensors.insert(name, tensor);
    }
    Ok(tensors)
}

fn header(file: &mut File) -> Result<(BTreeMap<String, Value>, u64), LoadError> {
    let mut length = [0_u8; 8];
    file.read_exact(&mut length).map_err(LoadError::new)?;
    let length = u64::from_le_bytes(length);
    if length > MOST_HEADER {
        return Err(LoadError::new("not a safetensors file: its header would have more than 64 MiB"));
    }
    let mut header = vec![0; length as usize];
    file.read_exact(&mut header).map_err(LoadError::new)?;
    let header = serde_json::from_slice(&header)
        .map_err(|cause| LoadError::new(format!("not a safetensors file: {cause}")))?;
    Ok((header, 8 + length))
}

fn values(file: &mut File, start: u64, entry: &Entry) -> Result<Vec<f32>, LoadError> {
    let width = if entry.dtype == "F32" { 4 } else { 2 };
    let [from, to] = entry.data_offsets;
    let count = entry.shape.iter().try_fold(1_usize, |product, axis| product.checked_mul(*axis));
    let Some(count) = count.filter(|count| to.checked_sub(from) == Some(*count as u64 * width)) else {
        return Err(LoadError::new("shape and length disagree"));
    };
    if file.metadata().map_err(LoadError::new)?.len() < start + to {
        return Err(LoadError::new("the file ends before the tensor does"));
    }
    let mut bytes = vec![0; count * width as usize];
    file.seek(SeekFrom::Start(start + from)).map_err(LoadError::new)?;
    file.read_exact(&mut bytes).map_err(LoadError::new)?;
    let values: Vec<f32> = match entry.dtype.as_str() {
        "F32" => bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
        "BF16" => bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|two| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16))
            .collect(),
        _ => bytes.as_chunks::<2>().0.iter().map(|two| half(u16::from_le_bytes(*two))).collect(),
    };
    if values.iter().all(|value| value.is_finite()) {
        Ok(values)
    } else {
        Err(LoadError::new("a weight is not finite"))
    }
}

/// IEEE 754 half precision.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2.0_f32.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision() {
        for (bits, value) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 5.960_464_5e-8), (0x7bff, 65504.0), (0, 0.0)]
        {
            assert_eq!(half(bits).to_bits(), f32::to_bits(value));
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}

//! Vectors as stored (little-endian f32) and their exact cosine.
//!
//! Every tier takes its scores from here, so a tier changes the speed and never the score.

/// Independent sums of a dot product: as many as a wide vector register holds, so that the compiler
/// may keep them in one.
const LANES: usize = 16;

/// A query vector with its norm.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    values: Vec<f32>,
    norm: f32,
}

impl QueryVector {
    /// `None` when the vector is empty, zero, or has a value that is not finite: nothing is near it.
    pub fn new(values: Vec<f32>) -> Option<Self> {
        let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        (norm.is_finite() && norm > 0.0).then_some(Self { values, norm })
    }

    /// Length of the vector.
    pub fn dimensions(&self) -> usize {
        self.values.len()
    }

    /// The values, for a mirror that searches by itself.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Cosine with a stored vector; `None` when the blob has another length, a value that is not
    /// finite, or only zeroes.
    pub fn cosine(&self, blob: &[u8]) -> Option<f32> {
        if blob.len() != self.values.len() * 4 {
            return None;
        }
        let (mut dots, mut squares) = ([0.0_f32; LANES], [0.0_f32; LANES]);
        for (bytes, query) in blob.chunks(4 * LANES).zip(self.values.chunks(LANES)) {
            for (lane, (four, q)) in bytes.as_chunks::<4>().0.iter().zip(query).enumerate() {
                let stored = f32::from_le_bytes(*four);
                dots[lane] += stored * q;
                squares[lane] += stored * stored;
            }
        }
        let norm = squares.iter().sum::<f32>().sqrt();
        let cosine = dots.iter().sum::<f32>() / (norm * self.norm);
        (norm > 0.0 && cosine.is_finite()).then_some(cosine)
    }
}

/// The stored form of a vector.
pub(crate) fn to_blob(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Whether a stored vector can be scored in a space of `dimensions`: right length, finite, not zero.
pub(crate) fn is_sound(blob: &[u8], dimensions: usize) -> bool {
    let values = blob.as_chunks::<4>().0;
    blob.len() == dimensions * 4
        && values.iter().all(|four| f32::from_le_bytes(*four).is_finite())
        && values.iter().any(|four| f32::from_le_bytes(*four) != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_is_exact_for_any_length_and_scale() {
        for dimensions in [1, 3, 15, 16, 17, 384, 768, 3072] {
            let a: Vec<f32> = (0..dimensions).map(|i| (i as f32 * 0.37).sin() + 0.1).collect();
            let b: Vec<f32> = (0..dimensions).map(|i| (i as f32 * 0.11).cos() * 7.0).collect();
            let dot: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            let norm = |v: &[f32]| v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
            let expect = dot / (norm(&a) * norm(&b));
            let got = QueryVector::new(a).expect("sound").cosine(&to_blob(&b)).expect("sound");
            assert!((f64::from(got) - expect).abs() < 1e-5, "{dimensions}: {got} {expect}");
        }
    }

    #[test]
    fn unsound_vectors_have_no_cosine() {
        let query = QueryVector::new(vec![1.0, 0.0]).expect("sound");
        assert_eq!(query.cosine(&to_blob(&[2.0, 0.0])), Some(1.0));
        for bad in [
            vec![],
            vec![1.0],
            vec![1.0, 0.0, 0.0],
            vec![f32::NAN, 1.0],
            vec![f32::INFINITY, 1.0],
            vec![0.0; 2],
        ] {
            assert_eq!(query.cosine(&to_blob(&bad)), None, "{bad:?}");
            assert!(!is_sound(&to_blob(&bad), 2), "{bad:?}");
        }
        assert!(is_sound(&to_blob(&[2.0, 0.0]), 2));
        assert_eq!(query.cosine(&[0; 7]), None);
        for bad in [vec![], vec![0.0; 3], vec![f32::NAN], vec![f32::INFINITY]] {
            assert_eq!(QueryVector::new(bad), None);
        }
    }
}

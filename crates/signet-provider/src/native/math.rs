//! The element-wise steps of the encoder, written so that the compiler can use the widest registers of
//! the machine it runs on ([`pulp::Arch`] picks the version at run time).

#![expect(clippy::inline_always, reason = "only inlined code is compiled for the registers of a dispatch")]
#![expect(clippy::excessive_precision, reason = "coefficients as they were published")]

use pulp::Arch;

/// Bytes as numbers.
pub(super) fn widen(arch: Arch, bytes: &[i8], out: &mut [f32]) {
    arch.dispatch(|| {
        for (out, byte) in out.iter_mut().zip(bytes) {
            *out = f32::from(*byte);
        }
    });
}

/// For each row of `values`: every value times its column's scale, plus its column's bias.
pub(super) fn scale_and_add(arch: Arch, values: &mut [f32], scales: &[f32], bias: &[f32]) {
    arch.dispatch(|| {
        for row in values.chunks_exact_mut(scales.len()) {
            for ((value, scale), bias) in row.iter_mut().zip(scales).zip(bias) {
                *value = *value * scale + bias;
            }
        }
    });
}

/// x * Φ(x), the exact form of GELU (Hendrycks and Gimpel 2016).
pub(super) fn gelu(arch: Arch, values: &mut [f32]) {
    arch.dispatch(|| {
        for value in values {
            *value = 0.5 * *value * (1.0 + erf(*value * std::f32::consts::FRAC_1_SQRT_2));
        }
    });
}

/// Softmax of each row of `length` values.
pub(super) fn softmax(arch: Arch, values: &mut [f32], length: usize) {
    arch.dispatch(|| {
        for row in values.chunks_exact_mut(length) {
            let most = row.iter().fold(f32::NEG_INFINITY, |most, value| most.max(*value));
            for value in &mut *row {
                *value = exp(*value - most);
            }
            let factor = 1.0 / sum(row, |value| value);
            for value in row {
                *value *= factor;
            }
        }
    });
}

/// Parameters of a layer normalisation.
#[derive(Debug, Clone, Copy)]
pub(super) struct NormView<'a> {
    pub(super) weight: &'a [f32],
    pub(super) bias: &'a [f32],
    pub(super) epsilon: f32,
}

/// Adds `other` and normalises each row (Ba, Kiros and Hinton 2016).
pub(super) fn add_and_norm(arch: Arch, values: &mut [f32], other: &[f32], norm: NormView<'_>) {
    arch.dispatch(|| {
        let width = norm.weight.len();
        for (row, other) in values.chunks_exact_mut(width).zip(other.chunks_exact(width)) {
            for (value, other) in row.iter_mut().zip(other) {
                *value += other;
            }
            norm_row(row, norm);
        }
    });
}

/// Normalises each row.
pub(super) fn norm_rows(arch: Arch, values: &mut [f32], norm: NormView<'_>) {
    arch.dispatch(|| {
        for row in values.chunks_exact_mut(norm.weight.len()) {
            norm_row(row, norm);
        }
    });
}

#[inline(always)]
fn norm_row(row: &mut [f32], norm: NormView<'_>) {
    let count = row.len() as f32;
    let mean = sum(row, |value| value) / count;
    let variance = sum(row, |value| (value - mean) * (value - mean)) / count;
    let factor = 1.0 / (variance + norm.epsilon).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(norm.weight).zip(norm.bias) {
        *value = (*value - mean) * factor * weight + bias;
    }
}

/// Sum in sixteen lanes: the compiler may not reorder a sum of floats by itself.
#[inline(always)]
fn sum(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let mut lanes = [0.0_f32; 16];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += of(*value);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|value| of(*value)).sum::<f32>()
}

/// Adding it moves a small f32's whole part into the low bits of the mantissa, rounded to nearest.
const ROUNDER: f32 = 12_582_912.0;

/// e^x for x <= 0, to about 2 units in the last place: the range reduction and polynomial of Cephes'
/// `expf` (Moshier 1992), without branches. Below -87 it stays at e^-87.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = x.max(-87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let r = x - whole * 0.693_359_375 + whole * 2.121_944_40e-4;
    let series = 1.987_569_150_0e-4 * r + 1.398_199_950_7e-3;
    let series = series * r + 8.333_451_907_3e-3;
    let series = series * r + 4.166_579_589_4e-2;
    let series = series * r + 1.666_666_545_9e-1;
    let series = series * r + 5.000_000_120_1e-1;
    let fraction = series * r * r + r + 1.0;
    let power = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127) << 23;
    fraction * f32::from_bits(power)
}

/// The error function as a quotient of polynomials, to 4e-7: the coefficients of Eigen's single-precision
/// `erf`, which is 1 beyond 4.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above = -2.726_142_258_013_06e-10 * square + 2.770_681_424_959_02e-8;
    let above = above * square + -2.101_024_020_825_08e-6;
    let above = above * square + -5.692_506_394_623_46e-5;
    let above = above * square + -7.349_906_303_268_55e-4;
    let above = above * square + -2.954_599_808_540_25e-3;
    let above = above * square + -1.609_603_332_624_15e-2;
    let below = -1.456_607_184_649_96e-5 * square + -2.133_740_552_789_05e-4;
    let below = below * square + -1.682_826_974_382_03e-3;
    let below = below * square + -7.373_329_167_204_68e-3;
    let below = below * square + -1.426_473_905_141_89e-2;
    x * above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    /// erf by its Taylor series in f64, exact enough up to 5.
    fn erf_reference(x: f64) -> f64 {
        let (mut term, mut total, mut n) = (x, x, 0.0);
        while f64::abs(term) > 1e-17 {
            n += 1.0;
            term *= -x * x / n;
            total += term / (2.0 * n + 1.0);
        }
        total * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn exp_and_erf_are_close_to_their_definitions() {
        for step in 0..=1740 {
            let x = -f64::from(step) / 20.0;
            let got = f64::from(exp(x as f32));
            let expect = f64::from(x as f32).exp();
            assert!((got / expect - 1.0).abs() < 3e-7, "exp({x}): {got} {expect}");
        }
        for step in -400..=400 {
            let x = f64::from(step) / 100.0;
            let got = f64::from(erf(x as f32));
            assert!((got - erf_reference(x)).abs() < 1e-6, "erf({x}): {got}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(erf(9.0).to_bits(), erf(4.0).to_bits());
    }

    #[test]
    fn softmax_sums_to_one_and_norm_has_mean_zero() {
        let mut values = [1.0, 2.0, 3.0, -500.0, 0.0, 0.0, 0.0, 0.0];
        softmax(Arch::new(), &mut values, 4);
        assert!((values[..4].iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(values[4..], [0.25; 4]);
        assert!(values[2] > values[1] && values[3] < 1e-30);
        let mut row = [1.0, 2.0, 3.0, 4.0];
        let norm = NormView { weight: &[1.0; 4], bias: &[0.5; 4], epsilon: 1e-12 };
        norm_rows(Arch::new(), &mut row, norm);
        assert!((row.iter().sum::<f32>() - 2.0).abs() < 1e-6);
        assert!((row[3] - row[0] - 3.0 / 1.25_f32.sqrt()).abs() < 1e-5);
    }
}

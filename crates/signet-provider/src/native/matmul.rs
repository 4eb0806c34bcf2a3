//! Matrix products on slices: the one call into `gemm`.

use gemm::Parallelism;

/// A matrix inside a slice of f32.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    data: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> View<'a> {
    /// `rows` x `columns`, one row after the other, `row_stride` values apart.
    pub(super) const fn rows(data: &'a [f32], rows: usize, columns: usize, row_stride: usize) -> Self {
        Self { data, rows, columns, row_stride, column_stride: 1 }
    }

    /// The same matrix with rows and columns exchanged.
    pub(super) const fn transposed(self) -> Self {
        Self {
            data: self.data,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    const fn fits(&self) -> bool {
        fits(self.data.len(), (self.rows, self.columns), (self.row_stride, self.column_stride))
    }
}

const fn fits(length: usize, shape: (usize, usize), strides: (usize, usize)) -> bool {
    shape.0 > 0 && shape.1 > 0 && (shape.0 - 1) * strides.0 + (shape.1 - 1) * strides.1 < length
}

/// `out = factor * a * b`; rows of `out` are `out_stride` values apart.
///
/// One thread, and an order of summation that depends on the three shapes only: equal input gives equal
/// output on a machine, whatever else is computed.
///
/// # Panics
/// When a matrix reaches beyond its slice or the shapes do not match, which is a bug of the caller.
#[expect(unsafe_code, reason = "gemm takes raw pointers")]
pub(super) fn multiply(out: &mut [f32], out_stride: usize, factor: f32, a: View<'_>, b: View<'_>) {
    assert!(a.columns == b.rows && a.fits() && b.fits(), "operands do not fit: {a:?} {b:?}");
    assert!(
        out_stride >= b.columns && fits(out.len(), (a.rows, b.columns), (out_stride, 1)),
        "out is too small"
    );
    // SAFETY: the assertions above keep every access of the three matrices inside its slice, and `out` is
    // borrowed exclusively, so it overlaps neither operand.
    unsafe {
        gemm::gemm(
            a.rows,
            b.columns,
            a.columns,
            out.as_mut_ptr(),
            1,
            out_stride as isize,
            false,
            a.data.as_ptr(),
            a.column_stride as isize,
            a.row_stride as isize,
            b.data.as_ptr(),
            b.column_stride as isize,
            b.row_stride as isize,
            0.0,
            factor,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_with_strides_and_transposition() {
        let a = [1.0, 2.0, 9.0, 3.0, 4.0, 9.0];
        let b = [5.0, 6.0, 7.0, 8.0];
        let mut out = [0.0; 5];
        multiply(&mut out, 3, 2.0, View::rows(&a, 2, 2, 3), View::rows(&b, 2, 2, 2).transposed());
        assert_eq!(out.map(|value| value as i32), [34, 46, 0, 78, 106]);
    }

    #[test]
    #[should_panic(expected = "operands do not fit")]
    fn a_view_beyond_its_slice_is_refused() {
        multiply(&mut [0.0; 4], 2, 1.0, View::rows(&[0.0; 3], 2, 2, 2), View::rows(&[0.0; 4], 2, 2, 2));
    }
}

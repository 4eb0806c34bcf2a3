//! Long texts in slices that put together are the text again, byte for byte.
//!
//! No slice cuts a grapheme, none overlaps another, none is trimmed. A slice ends at a sentence or a
//! line where it can, keeps a fenced code block whole up to twice the target, and is cut at white
//! space only where a piece is longer than that.

mod piece;

/// Slices of about `target` characters, in order; none for an empty text.
pub fn slices(text: &str, target: usize) -> Vec<&str> {
    let target = target.max(1);
    let mut slices: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    let mut length = 0;
    let mut at = 0;
    for piece in piece::pieces(text, target) {
        let chars = piece.chars().count();
        if length > 0 && length + chars > target {
            slices.push((start, length));
            start = at;
            length = 0;
        }
        length += chars;
        at += piece.len();
    }
    // A short end would be a memory without context: it goes with the slice before it.
    if length > 0 && (slices.is_empty() || length * 4 >= target) {
        slices.push((start, length));
    }
    let ends = slices.iter().skip(1).map(|slice| slice.0).chain([text.len()]);
    slices.iter().zip(ends).map(|(slice, end)| &text[slice.0..end]).collect()
}

#[cfg(test)]
mod tests;

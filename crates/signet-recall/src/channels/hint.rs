//! Hints: questions a memory was said to answer. The same value as text, its best hint as the document.

use signet_model::text::search::Counter;

use super::lexical::Terms;

/// The value of the best of the hints; 0 without any.
pub(crate) fn value(terms: &Terms, counter: &Counter, hints: &[String]) -> f64 {
    hints
        .iter()
        .map(|hint| {
            let (counts, length) = counter.count(hint);
            terms.value(&counts, length)
        })
        .fold(0.0, f64::max)
}

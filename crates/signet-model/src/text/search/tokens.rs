//! The index's tokenizer in Rust: `porter unicode61 remove_diacritics 2`.
//!
//! With it the terms of a candidate are counted without asking the index for every row.

use super::porter;
use super::tables::{BASE, CASE, SEPARATOR};

/// A word as the index sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    /// Folded, not stemmed: what a quoted query string is made of.
    pub word: String,
    /// The index term. Bytes, because the stemmer may cut inside a character.
    pub stem: Vec<u8>,
}

/// The words of a text in order.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    each_word(text, |word| found.push(Token { word: word.to_owned(), stem: porter::stem(word.as_bytes()) }));
    found
}

/// Calls `visit` with the index term of every word of a text, in order.
pub fn each_stem(text: &str, mut visit: impl FnMut(&[u8])) {
    each_word(text, |word| visit(&porter::stem(word.as_bytes())));
}

/// Calls `visit` with every folded word of a text, in order.
pub fn each_word(text: &str, mut visit: impl FnMut(&str)) {
    let mut word = String::new();
    let mut inside = false;
    for c in text.chars() {
        if is_word_char(c) || (inside && is_diacritic(c)) {
            inside = true;
            if let Some(folded) = fold(c) {
                word.push(folded);
            }
        } else if inside {
            visit(&word);
            word.clear();
            inside = false;
        }
    }
    if inside {
        visit(&word);
    }
}

/// Counts the terms of a query in texts.
///
/// Stemming keeps the first byte of a word, so only words that start like a term are stemmed at all.
#[derive(Debug, Clone)]
pub struct Counter {
    stems: Vec<Vec<u8>>,
    starts: [bool; 256],
}

impl Counter {
    /// A counter of these index terms.
    pub fn new(stems: Vec<Vec<u8>>) -> Self {
        let mut starts = [false; 256];
        for first in stems.iter().filter_map(|stem| stem.first()) {
            starts[usize::from(*first)] = true;
        }
        Self { stems, starts }
    }

    /// How often each term stands in the text, and how many words the text has.
    pub fn count(&self, text: &str) -> (Vec<u32>, usize) {
        let mut counts = vec![0; self.stems.len()];
        let mut length = 0;
        each_word(text, |word| {
            length += 1;
            if word.bytes().next().is_some_and(|first| self.starts[usize::from(first)]) {
                let stem = porter::stem(word.as_bytes());
                if let Some(at) = self.stems.iter().position(|term| *term == stem) {
                    counts[at] += 1;
                }
            }
        });
        (counts, length)
    }
}

/// Whether the index takes the character as part of a word.
pub(super) fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    // SQLite reads the non-characters U+FFFE and U+FFFF of every plane's first as U+FFFD.
    let code = if matches!(c, '\u{fffe}' | '\u{ffff}') { 0xfffd } else { u32::from(c) };
    let at = SEPARATOR.partition_point(|range| range.0 <= code);
    at == 0 || SEPARATOR[at - 1].1 < code
}

/// Combining marks that neither part a word nor stay in it.
fn is_diacritic(c: char) -> bool {
    const FIRST_32: u32 = 0x0802_9FDF;
    const NEXT_18: u32 = 0x0003_61F8;
    match u32::from(c) {
        code @ 768..800 => FIRST_32 & (1 << (code - 768)) != 0,
        code @ 800..=817 => NEXT_18 & (1 << (code - 800)) != 0,
        _ => false,
    }
}

/// Lower case without marks; `None` for a mark on its own.
fn fold(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    let Ok(code) = u16::try_from(u32::from(c)) else {
        // Deseret is the one script beyond the basic plane that the index folds.
        return match u32::from(c) {
            code @ 66_560..66_600 => char::from_u32(code + 40),
            _ => Some(c),
        };
    };
    let lower = fold_case(code);
    let at = BASE.partition_point(|entry| entry.0 <= lower);
    match at.checked_sub(1).map(|at| BASE[at]) {
        Some((_, last, base)) if lower <= last => (base != 0).then(|| char::from(base)),
        _ => char::from_u32(u32::from(lower)),
    }
}

fn fold_case(code: u16) -> u16 {
    let at = CASE.partition_point(|entry| entry.0 <= code);
    let Some((first, count, offset, every_second)) = at.checked_sub(1).map(|at| CASE[at]) else {
        return code;
    };
    let inside = code - first < u16::from(count);
    let skipped = every_second && (code ^ first) & 1 == 1;
    if inside && !skipped { code.wrapping_add(offset) } else { code }
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    #[test]
    fn words_are_folded_and_stemmed() {
        let expected = [("creme", "creme"), ("brulee", "brule"), ("runners", "runner"), ("живет", "живет")];
        let expected: Vec<Token> = expected
            .iter()
            .map(|(word, stem)| Token { word: (*word).to_owned(), stem: stem.as_bytes().to_vec() })
            .collect();
        assert_eq!(tokens("Crème-brûlée; RUNNERS (Живет)"), expected);
        assert_eq!(tokens(" .,;!\u{301} "), Vec::new());
    }
}

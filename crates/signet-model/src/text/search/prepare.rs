//! The search form of a text, for the index and for a query.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::compound;
use super::script::{Class, class, word_form};

/// Longer words are cut into pieces of this many characters: a word of a megabyte is found
/// by its start, and a query asks for that start only.
const LONGEST_WORD: usize = 128;

/// Who reads the search form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The index: runs of unspaced scripts stand as single characters and as pairs.
    Index,
    /// A query: pairs; a single character only when it stands alone.
    Query,
}

/// The search form of a text.
pub(super) fn form(text: &str, side: Side) -> String {
    let composed = compose(text);
    let mut out = String::with_capacity(composed.len() + composed.len() / 8);
    for (at, piece) in composed.split(is_blank).enumerate() {
        if at > 0 {
            out.push(' ');
        }
        if piece.bytes().all(|b| b.is_ascii_alphanumeric()) && piece.len() <= LONGEST_WORD {
            out.push_str(piece);
        } else {
            cut(piece, side, &mut out);
        }
        if !piece.bytes().all(|b| b.is_ascii_lowercase()) {
            compound::each(piece, |word| {
                out.push(' ');
                out.push_str(word);
            });
        }
    }
    out
}

/// The text in NFC.
fn compose(text: &str) -> String {
    if is_nfc_quick(text.chars()) == IsNormalized::Yes { text.to_owned() } else { text.nfc().collect() }
}

fn is_blank(c: char) -> bool {
    class(c) == Class::Blank
}

/// Writes a piece without white space, character by character.
fn cut(piece: &str, side: Side, out: &mut String) {
    let mut run: Vec<String> = Vec::new();
    let mut length = 0;
    for c in piece.chars() {
        let kind = class(c);
        match kind {
            Class::Ignored => continue,
            Class::Sign => {
                match run.last_mut() {
                    Some(cluster) => cluster.push(word_form(c)),
                    None => out.push(word_form(c)),
                }
                continue;
            }
            Class::Unspaced => {
                run.push(c.to_string());
                continue;
            }
            Class::Blank | Class::Symbol | Class::Word | Class::Other => flush(&mut run, side, out),
        }
        length = if kind == Class::Word { length + 1 } else { 0 };
        if length > LONGEST_WORD {
            if side == Side::Query {
                continue;
            }
            if length % LONGEST_WORD == 1 {
                out.push(' ');
            }
        }
        match (kind, c) {
            (Class::Symbol, _) => {
                out.push(' ');
                out.push(word_form(c));
                out.push(' ');
            }
            (_, 'ß' | 'ẞ') => out.push_str("ss"),
            (_, 'ё') => out.push('е'),
            (_, 'Ё') => out.push('Е'),
            _ => out.push(c),
        }
    }
    flush(&mut run, side, out);
}

/// Writes a run of an unspaced script.
fn flush(run: &mut Vec<String>, side: Side, out: &mut String) {
    if run.is_empty() {
        return;
    }
    if side == Side::Index || run.len() == 1 {
        for cluster in run.iter() {
            out.push(' ');
            out.push_str(cluster);
        }
    }
    for pair in run.windows(2) {
        out.push(' ');
        out.push_str(&pair.concat());
    }
    out.push(' ');
    run.clear();
}

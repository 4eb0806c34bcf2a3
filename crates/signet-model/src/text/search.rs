//! Search form: what the text index sees, and how a query is cut into the same terms.
//!
//! Owns: the preparation of a text before indexing, the index's tokenizer in Rust, stop words.
//! Must not know: the index itself, ranking.

mod compound;
mod porter;
mod prepare;
mod script;
mod stop;
mod tables;
mod terms;
mod tokens;

pub use stop::{Language, language};
pub use terms::{Query, query};
pub use tokens::{Counter, Token, each_stem, each_word, tokens};

/// Version of the preparation rule: raise it with every change of what [`prepare`] returns. The store keeps
/// the version it holds, and a daemon that meets another one remakes the search forms once.
pub const PREPARATION: u32 = 2;

/// Text for the index: NFC, pairs of scripts without spaces, identifiers whole and in parts, symbols
/// as words, invisible characters out. `None` when the index sees the same words in `content` itself.
pub fn prepare(content: &str) -> Option<String> {
    let form = prepare::form(content, prepare::Side::Index);
    (!same_words(content, &form)).then_some(form)
}

/// Whether two texts are the same words in the same order for the index.
fn same_words(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    let words = |text: &str| {
        let mut all = String::with_capacity(text.len());
        tokens::each_word(text, |word| {
            all.push_str(word);
            all.push('\n');
        });
        all
    };
    words(left) == words(right)
}

#[cfg(test)]
mod tests;

//! A query cut into index terms.

use super::prepare::{self, Side};
use super::stop::{Language, language};
use super::tokens::{Token, tokens};

/// Distinct terms taken from one query text; a longer one is read to here.
const MOST_TERMS: usize = 128;

/// A query as the index can be asked it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// Distinct terms in order of their first place.
    pub terms: Vec<Token>,
    /// Only function words were left: they are asked as one phrase, in this order.
    pub phrase: bool,
    /// Language of the function words, when a list knows them.
    pub language: Option<Language>,
    /// Every folded word of the query in order, function words too.
    pub words: Vec<String>,
}

/// Cuts a query like the texts were cut. Nothing in it is an operator.
///
/// Function words and single letters of spaced scripts are dropped unless nothing else is left.
/// A text without any letter, digit or symbol has no terms, and matches nothing.
pub fn query(text: &str) -> Query {
    let all = tokens(&prepare::form(text, Side::Query));
    let words: Vec<String> = all.iter().map(|token| token.word.clone()).collect();
    let language = language(&words.iter().map(String::as_str));
    let carries = |token: &Token| {
        let function = language.is_some_and(|language| language.is_function_word(&token.word));
        let single = token.word.len() == 1;
        !function && !single
    };
    let mut terms = distinct(all.iter().filter(|token| carries(token)));
    let phrase = terms.is_empty();
    if phrase {
        terms = all.into_iter().take(MOST_TERMS).collect();
    }
    Query { terms, phrase, language, words }
}

fn distinct<'a>(tokens: impl Iterator<Item = &'a Token>) -> Vec<Token> {
    let mut seen = std::collections::HashSet::new();
    tokens.filter(|token| seen.insert(token.stem.clone())).take(MOST_TERMS).cloned().collect()
}

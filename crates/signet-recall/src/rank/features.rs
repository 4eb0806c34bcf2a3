//! The features of a candidate. Each is 0 where it says nothing.

use signet_model::text::search::{Language, Query};

use crate::item::Item;

/// Saturation of repeated terms. Lower than in the absolute value: short units say a word once.
const K1: f64 = 0.9;
/// Influence of the length.
const B: f64 = 0.4;
/// Length at which a row neither gains nor loses, in words. A fixed pivot keeps a store of short and
/// long rows stable.
const PIVOT: f64 = 60.0;
/// A row of fewer words is short.
const SHORT: f64 = 25.0;
/// A row of more words is long.
const LONG: f64 = 100.0;

/// The features of one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Features {
    pub(crate) lexical: f64,
    pub(crate) semantic: f64,
    pub(crate) hint: f64,
    pub(crate) coverage: f64,
    pub(crate) asks: f64,
    pub(crate) short: f64,
    pub(crate) long: f64,
    pub(crate) answers: f64,
    pub(crate) assistant: f64,
    pub(crate) verbatim: f64,
}

/// What a question word wants to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Time,
    Number,
    Name,
}

/// One question, with the best of its candidates for the features that are shares of it.
#[derive(Debug)]
pub(crate) struct Question {
    best_lexical: f64,
    best_cosine: f64,
    wanted: Option<Wanted>,
    text: String,
}

impl Question {
    /// Reads the question and its candidates.
    pub(crate) fn new(query: &Query, text: &str, items: &[Item]) -> Self {
        Self {
            text: text.trim().to_owned(),
            best_lexical: items.iter().map(bm25).fold(0.0, f64::max),
            best_cosine: items.iter().filter_map(|item| item.row.cosine).fold(0.0, f64::max),
            wanted: wanted(query),
        }
    }

    /// The features of one candidate.
    pub(crate) fn features(&self, item: &Item) -> Features {
        let length = item.length as f64;
        let share = |value: f64, best: f64| if best > 0.0 { (value / best).max(0.0) } else { 0.0 };
        let text = item.row.memory.content.trim_end();
        Features {
            lexical: share(bm25(item), self.best_lexical),
            semantic: share(item.row.cosine.unwrap_or(0.0), self.best_cosine),
            hint: item.evidence.hint,
            coverage: coverage(item),
            asks: f64::from(u8::from(text.ends_with(['?', '？', '؟']))),
            short: (1.0 - length / SHORT).max(0.0),
            long: (length / LONG).max(1.0).ln(),
            answers: self.wanted.map_or(0.0, |wanted| holds(text, wanted) * (length / SHORT).min(1.0)),
            assistant: f64::from(u8::from(is_assistant(item.row.memory.who.as_deref()))),
            verbatim: f64::from(u8::from(!self.text.is_empty() && text.contains(&self.text))),
        }
    }
}

/// BM25 with a fixed pivot.
fn bm25(item: &Item) -> f64 {
    let damping = K1 * (1.0 - B + B * item.length as f64 / PIVOT);
    item.counts
        .iter()
        .zip(&item.idf)
        .map(|(tf, idf)| idf * f64::from(*tf) * (K1 + 1.0) / (f64::from(*tf) + damping))
        .sum()
}

fn coverage(item: &Item) -> f64 {
    let whole: f64 = item.idf.iter().sum();
    let held: f64 = item.counts.iter().zip(&item.idf).filter(|(tf, _)| **tf > 0).map(|(_, idf)| idf).sum();
    if whole > 0.0 { held / whole } else { 0.0 }
}

fn is_assistant(who: Option<&str>) -> bool {
    who.is_some_and(|who| matches!(who.to_lowercase().as_str(), "assistant" | "ai" | "model" | "bot"))
}

/// What the question's own words ask for. English for now; other languages have no such word here.
fn wanted(query: &Query) -> Option<Wanted> {
    if query.language != Some(Language::English) {
        return None;
    }
    let words: Vec<&str> = query.words.iter().map(String::as_str).collect();
    let asks = |first: &str, second: &str| words.windows(2).any(|pair| pair == [first, second]);
    if asks("how", "many") || asks("how", "much") {
        Some(Wanted::Number)
    } else if words.contains(&"when") || asks("how", "long") || asks("which", "year") || asks("what", "date")
    {
        Some(Wanted::Time)
    } else if words.iter().any(|word| matches!(*word, "who" | "where" | "whose")) {
        Some(Wanted::Name)
    } else {
        None
    }
}

/// Words that tell a time, folded.
const TIME_WORDS: &[&str] = &[
    "yesterday",
    "today",
    "tomorrow",
    "tonight",
    "ago",
    "last",
    "next",
    "week",
    "weekend",
    "month",
    "year",
    "day",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "morning",
    "evening",
    "since",
];

/// Words that count, folded.
const NUMBER_WORDS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen", "couple",
    "several", "twice", "once", "hundred", "thousand", "few",
];

/// 1 when the text has such an answer, else 0.
fn holds(text: &str, wanted: Wanted) -> f64 {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let listed = |list: &[&str], word: &str| list.contains(&word.to_lowercase().as_str());
    let found = match wanted {
        Wanted::Time => words.any(|word| digit(word) || listed(TIME_WORDS, word)),
        Wanted::Number => words.any(|word| digit(word) || listed(NUMBER_WORDS, word)),
        // The first words of a text and of its sentences are capital anyway.
        Wanted::Name => words.skip(2).any(|word| word.len() > 1 && word.starts_with(char::is_uppercase)),
    };
    f64::from(u8::from(found))
}

#[cfg(test)]
mod tests;

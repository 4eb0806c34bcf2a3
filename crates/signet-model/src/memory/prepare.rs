//! From a draft to rows: envelope, repair, prefixes, type, slices, hashes and scans (pure).

use crate::memory::{Draft, Text};
use crate::text::{chunk, infer, normal, prefix, repair, search};
use crate::{Code, Error, envelope};

/// Most characters of one remember call.
pub const MAX_CONTENT: usize = 5_000_000;
/// Most characters of one row that may not be split.
pub const MAX_ROW: usize = 65_536;
/// Most hints of one memory.
pub const MAX_HINTS: usize = 10;

/// Sizes from the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guardrails {
    /// Longest text of one row, in characters; longer ones are split.
    pub max_content_chars: usize,
    /// Length a slice aims at, in characters.
    pub chunk_target_chars: usize,
}

impl Default for Guardrails {
    fn default() -> Self {
        Self { max_content_chars: 800, chunk_target_chars: 600 }
    }
}

/// The rows' texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Texts {
    /// One row.
    One(Box<Text>),
    /// A long text: its content hash, and its slices in order.
    Slices {
        /// Content hash of the whole text.
        hash: String,
        /// Slices that joined are the text.
        slices: Vec<Text>,
    },
}

/// A hint with its search form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// As given.
    pub text: String,
    /// What the index sees; `None` when it equals `text`.
    pub search: Option<String>,
}

/// A draft after all rules that need no database.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The texts.
    pub texts: Texts,
    /// Type.
    pub kind: String,
    /// 0..=1.
    pub importance: f64,
    /// Pinned.
    pub pinned: bool,
    /// `explicit` or `explicit-critical`.
    pub why: &'static str,
    /// Tags.
    pub tags: Vec<String>,
    /// Hints.
    pub hints: Vec<Hint>,
    /// The draft's other fields; its `content` is empty, for the texts hold it.
    pub draft: Draft,
}

/// Applies the rules of storing. Refusals: 400 with the field, 413 for a text above the limit.
pub fn prepare(mut draft: Draft, guardrails: Guardrails) -> Result<Prepared, Error> {
    let content = std::mem::take(&mut draft.content);
    let stored = stored(&content)?;
    if stored.repaired {
        draft.repaired.push("content");
    }
    let prefixed = prefix::split(&stored.text);
    let body = prefixed.rest.trim_matches(normal::is_blank);
    if body.is_empty() {
        return Err(Error::field("content", "content is required"));
    }
    let kind = match draft.kind.take() {
        Some(kind) => checked_kind(&kind)?,
        None => infer::kind(body).to_owned(),
    };
    let given = draft.tags.take().unwrap_or(prefixed.tags);
    let tags = checked_tags(&given)?;
    let hints = std::mem::take(&mut draft.hints);
    for (field, texts) in [("tags", &given), ("hints", &hints)] {
        if needs_repair(texts) {
            draft.repaired.push(field);
        }
    }
    check_times(&draft)?;
    Ok(Prepared {
        texts: texts(body, &draft, guardrails)?,
        kind,
        importance: checked_importance(draft.importance)?.unwrap_or(if prefixed.critical {
            1.0
        } else {
            0.8
        }),
        pinned: draft.pinned.unwrap_or(prefixed.critical),
        why: if prefixed.critical { "explicit-critical" } else { "explicit" },
        tags,
        hints: checked_hints(hints)?,
        draft,
    })
}

/// A text in storage form, and whether something in it had to be repaired.
pub(super) struct Stored {
    pub(super) text: String,
    pub(super) repaired: bool,
}

/// Cuts Signet's own text out, repairs what no text can hold, brings into storage form. Never blank.
pub(super) fn stored(content: &str) -> Result<Stored, Error> {
    if content.chars().nth(MAX_CONTENT).is_some() {
        return Err(too_large(MAX_CONTENT));
    }
    let cut = envelope::cut(content);
    let repaired = repair::text(&cut.text);
    let text = normal::storage_text(&repaired);
    if text.is_empty() {
        let sentence = if cut.removed { "content is only injected context" } else { "content is required" };
        return Err(Error::field("content", sentence));
    }
    Ok(Stored { text, repaired: matches!(repaired, std::borrow::Cow::Owned(_)) })
}

/// The text of a row that may not be split.
pub(super) fn one_row(text: &str) -> Result<Text, Error> {
    if text.chars().nth(MAX_ROW).is_some() {
        return Err(too_large(MAX_ROW));
    }
    Ok(Text::of(text.to_owned()))
}

fn too_large(limit: usize) -> Error {
    let mut error = Error::new(Code::BodyTooLarge, format!("content is longer than {limit} characters"));
    error.field = Some("content".to_owned());
    error.hint("store long texts as documents")
}

fn texts(body: &str, draft: &Draft, guardrails: Guardrails) -> Result<Texts, Error> {
    let long = body.chars().nth(guardrails.max_content_chars).is_some();
    if !long || draft.structured.is_some() {
        return Ok(Texts::One(Box::new(one_row(body)?)));
    }
    if draft.supersedes.is_some() {
        let sentence = "supersedes cannot be combined with oversized content (auto-chunking)";
        return Err(Error::field("supersedes", sentence));
    }
    let slices = chunk::slices(body, guardrails.chunk_target_chars);
    Ok(Texts::Slices {
        hash: normal::content_hash(body),
        slices: slices.into_iter().map(|slice| Text::of(slice.to_owned())).collect(),
    })
}

/// Lower-cases a type and checks its letters.
pub(super) fn checked_kind(kind: &str) -> Result<String, Error> {
    let kind = kind.trim().to_lowercase();
    let fits = (1..=64).contains(&kind.len())
        && kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
    if fits { Ok(kind) } else { Err(Error::field("type", "type must be 1 to 64 characters of [a-z0-9_-]")) }
}

/// Cleans tags and checks their number, length and letters.
pub(super) fn checked_tags(tags: &[String]) -> Result<Vec<String>, Error> {
    let clean = prefix::clean_tags(tags.iter().map(String::as_str));
    if clean.iter().any(|tag| tag.contains(',')) {
        return Err(Error::field("tags", "a tag cannot contain a comma"));
    }
    if clean.len() > prefix::MAX_TAGS {
        return Err(Error::field("tags", format!("tags must have at most {} items", prefix::MAX_TAGS)));
    }
    if clean.iter().any(|tag| tag.chars().count() > prefix::MAX_TAG) {
        let rule = format!("tags must have items of at most {} characters", prefix::MAX_TAG);
        return Err(Error::field("tags", rule));
    }
    Ok(clean.into_iter().map(|tag| repair::text(&tag).into_owned()).collect())
}

/// Whether [`repair::text`] changes one of the texts.
pub(super) fn needs_repair(texts: &[String]) -> bool {
    texts.iter().any(|text| matches!(repair::text(text), std::borrow::Cow::Owned(_)))
}

/// Checks the range of an importance.
pub(super) fn checked_importance(importance: Option<f64>) -> Result<Option<f64>, Error> {
    match importance {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(Error::field("importance", "importance must be a number from 0 to 1"))
        }
        fine => Ok(fine),
    }
}

fn checked_hints(hints: Vec<String>) -> Result<Vec<Hint>, Error> {
    let mut checked: Vec<Hint> = Vec::new();
    for hint in hints {
        let text = repair::text(hint.trim_matches(normal::is_blank)).into_owned();
        if !(5..=300).contains(&text.chars().count()) {
            return Err(Error::field("hints", "each hint must have 5 to 300 characters"));
        }
        if checked.iter().all(|known| known.text != text) {
            checked.push(Hint { search: search::prepare(&text), text });
        }
    }
    if checked.len() > MAX_HINTS {
        return Err(Error::field("hints", "hints must be at most 10"));
    }
    Ok(checked)
}

fn check_times(draft: &Draft) -> Result<(), Error> {
    match (draft.times.valid_from, draft.times.valid_until) {
        (Some(from), Some(until)) if until < from => {
            Err(Error::field("validUntil", "validUntil must not be before validFrom"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;

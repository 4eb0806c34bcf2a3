//! Lists of texts. Each function returns the rule that a wrong value breaks.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::Checked;
use super::sent::Sent;

/// Most tags of one thing.
const MAX_TAGS: usize = 32;
/// Most characters of one tag.
const MAX_TAG_CHARS: usize = 64;

/// Tags: trimmed, without empty ones and repeats, in the order sent.
pub(super) fn tags(sent: &Sent<'_>) -> Result<Checked, String> {
    let items = match sent {
        Sent::Body(Value::Array(items)) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let texts = texts.ok_or("must be a string, string array, or null")?;
            if texts.iter().any(|text| text.contains(',')) {
                return Err("must not have a comma inside an array item".to_owned());
            }
            texts
        }
        _ => sent.as_text().ok_or("must be a string, string array, or null")?.split(',').collect(),
    };
    let tags = distinct(items.into_iter().map(str::trim).filter(|tag| !tag.is_empty()));
    if tags.len() > MAX_TAGS {
        return Err(format!("must have at most {MAX_TAGS} items"));
    }
    if tags.iter().any(|tag| tag.chars().count() > MAX_TAG_CHARS) {
        return Err(format!("must have items of at most {MAX_TAG_CHARS} characters"));
    }
    Ok(Checked::Texts(tags))
}

/// An array of texts; in a query, a comma list.
pub(super) fn texts(sent: &Sent<'_>, max: usize, lengths: RangeInclusive<usize>) -> Result<Checked, String> {
    let texts = match sent {
        Sent::Body(Value::Array(items)) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            texts.ok_or("must be an array of texts")?
        }
        Sent::Body(_) => return Err("must be an array of texts".to_owned()),
        Sent::Query(text) => comma_list(text),
    };
    if texts.len() > max {
        return Err(format!("must have at most {max} items"));
    }
    if texts.iter().any(|text| !lengths.contains(&text.chars().count())) {
        let (min, max) = (lengths.start(), lengths.end());
        return Err(format!("must have items of {min} to {max} characters"));
    }
    Ok(Checked::Texts(texts.into_iter().map(str::to_owned).collect()))
}

/// Several of `words`, as array or comma list, without repeats.
pub(super) fn some_of(sent: &Sent<'_>, words: &[&str]) -> Result<Checked, String> {
    let rule = || format!("must be some of: {}", words.join(", "));
    let texts: Vec<&str> = match sent {
        Sent::Body(Value::Array(items)) => {
            items.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(rule)?
        }
        _ => comma_list(sent.as_text().ok_or_else(rule)?),
    };
    if texts.iter().all(|text| words.contains(text)) {
        Ok(Checked::Texts(distinct(texts.into_iter())))
    } else {
        Err(rule())
    }
}

fn comma_list(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
}

fn distinct<'a>(items: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for item in items {
        if !kept.iter().any(|tag| tag == item) {
            kept.push(item.to_owned());
        }
    }
    kept
}

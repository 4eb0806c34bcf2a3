//! Texts, ids, words, flags and times. Each function returns the rule that a wrong value breaks.

use jiff::tz::TimeZone;
use serde_json::Value;
use signet_model::Timestamp;
use signet_model::time::DateEdge;

use super::Checked;
use super::sent::Sent;

/// Text of `min..=max` Unicode scalar values, counted as sent.
pub(super) fn text(sent: &Sent<'_>, min: usize, max: usize) -> Result<Checked, String> {
    let text = sent.as_text().ok_or("must be text")?;
    if (min..=max).contains(&text.chars().count()) {
        Ok(Checked::Text(text.to_owned()))
    } else {
        Err(format!("must be {min} to {max} characters long"))
    }
}

/// An opaque id.
pub(super) fn id(sent: &Sent<'_>) -> Result<Checked, String> {
    match sent.as_text() {
        Some(text) if signet_model::id::is_id(text) => Ok(Checked::Text(text.to_owned())),
        _ => Err("must be an id: 1 to 128 characters of letters, digits and _ : . @ / -".to_owned()),
    }
}

/// One of `words`, exactly.
pub(super) fn one_of(sent: &Sent<'_>, words: &[&str]) -> Result<Checked, String> {
    match sent.as_text() {
        Some(text) if words.contains(&text) => Ok(Checked::Text(text.to_owned())),
        _ => Err(format!("must be one of: {}", words.join(", "))),
    }
}

/// true or false; a query may also say 1 or 0.
pub(super) fn flag(sent: &Sent<'_>) -> Result<Checked, String> {
    let flag = match sent {
        Sent::Body(Value::Bool(flag)) => Some(*flag),
        Sent::Body(_) => None,
        Sent::Query(text) => match text.as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        },
    };
    flag.map(Checked::Bool).ok_or_else(|| "must be true or false".to_owned())
}

/// 0001-01-01T00:00:00Z: no instant before it is taken from a caller.
const YEAR_ONE: Timestamp = Timestamp::from_millis(-62_135_596_800_000);

/// An instant from the year 1 of UTC on; `edge` says what a bare date means.
pub(super) fn time(sent: &Sent<'_>, zone: &TimeZone, edge: DateEdge) -> Result<Checked, String> {
    sent.as_text()
        .and_then(|text| Timestamp::read(text, zone, edge))
        .filter(|read| read.at >= YEAR_ONE)
        .map(Checked::Time)
        .ok_or_else(|| "must be a valid ISO timestamp".to_owned())
}

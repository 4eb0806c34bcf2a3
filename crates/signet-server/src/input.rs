//! A request's fields after validation: typed, in one spelling, body and query merged.
//!
//! Owns: reading values by [`Field`], refusals that name field and rule.
//! Must not do: rules that need more than one field or the store; those live with the route.

mod list;
mod nested;
mod number;
mod sent;
mod text;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use signet_model::{Code, Error, Timestamp};

use crate::field::{Field, Kind};
use sent::Sent;

/// A validated value.
#[derive(Debug, Clone, PartialEq)]
pub enum Checked {
    /// Sent as null: "clear it" where the route knows that.
    Null,
    /// Text.
    Text(String),
    /// Yes or no.
    Bool(bool),
    /// Whole number.
    Int(i64),
    /// Number.
    Number(f64),
    /// Instant, and whether the zone was assumed, and whether it was a bare date.
    Time(signet_model::time::ReadTime),
    /// Texts.
    Texts(Vec<String>),
    /// JSON object as sent.
    Object(Map<String, Value>),
    /// JSON object with known fields.
    Record(Input),
    /// Items, each validated.
    Items(Vec<Input>),
    /// Items, each validated or refused on its own.
    Each(Vec<Result<Input, Error>>),
}

/// The fields of one request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Input {
    values: BTreeMap<&'static str, Checked>,
}

impl Input {
    /// Checks `body` (and `query`, whose values are texts) against `fields`. The first fault is a 400
    /// that names the field and its rule.
    pub fn check(
        fields: &'static [Field],
        body: &Map<String, Value>,
        query: &[(String, String)],
        zone: &jiff::tz::TimeZone,
    ) -> Result<Self, Error> {
        let mut input = Self::default();
        for field in fields {
            if let Some(value) = read_field(field, body, query, zone)? {
                input.values.insert(field.name, value);
            }
        }
        Ok(input)
    }

    /// Puts a text where the request sent none: what a credential's restriction fills in.
    pub(crate) fn fill_text(&mut self, name: &'static str, text: &str) {
        self.values.insert(name, Checked::Text(text.to_owned()));
    }

    /// The items of a [`Kind::Items`], to fill in what a credential restricts; none when not sent.
    pub(crate) fn items_mut(&mut self, name: &str) -> &mut [Self] {
        match self.values.get_mut(name) {
            Some(Checked::Items(items)) => items,
            _ => &mut [],
        }
    }

    /// The verdicts of a [`Kind::Each`], likewise.
    pub(crate) fn each_mut(&mut self, name: &str) -> &mut [Result<Self, Error>] {
        match self.values.get_mut(name) {
            Some(Checked::Each(items)) => items,
            _ => &mut [],
        }
    }

    /// The text of a field.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.values.get(name) {
            Some(Checked::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The flag of a field; absent = false.
    pub fn flag(&self, name: &str) -> bool {
        self.maybe_flag(name) == Some(true)
    }

    /// The flag of a field, when sent.
    pub fn maybe_flag(&self, name: &str) -> Option<bool> {
        match self.values.get(name) {
            Some(Checked::Bool(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// The whole number of a field ([`Kind::Clamped`] is always there).
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.values.get(name) {
            Some(Checked::Int(n)) => Some(*n),
            _ => None,
        }
    }

    /// The number of a field.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.values.get(name) {
            Some(Checked::Number(n)) => Some(*n),
            _ => None,
        }
    }

    /// The instant of a field.
    pub fn time(&self, name: &str) -> Option<Timestamp> {
        self.read_time(name).map(|read| read.at)
    }

    /// The instant of a field with how it was read.
    pub fn read_time(&self, name: &str) -> Option<signet_model::time::ReadTime> {
        match self.values.get(name) {
            Some(Checked::Time(read)) => Some(*read),
            _ => None,
        }
    }

    /// The texts of a field, when sent.
    pub fn texts(&self, name: &str) -> Option<&[String]> {
        match self.values.get(name) {
            Some(Checked::Texts(texts)) => Some(texts),
            _ => None,
        }
    }

    /// The object of a field.
    pub fn object(&self, name: &str) -> Option<&Map<String, Value>> {
        match self.values.get(name) {
            Some(Checked::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// The fields of a [`Kind::Record`].
    pub fn record(&self, name: &str) -> Option<&Self> {
        match self.values.get(name) {
            Some(Checked::Record(record)) => Some(record),
            _ => None,
        }
    }

    /// The items of a [`Kind::Items`].
    pub fn items(&self, name: &str) -> Option<&[Self]> {
        match self.values.get(name) {
            Some(Checked::Items(items)) => Some(items),
            _ => None,
        }
    }

    /// The items of a [`Kind::Each`], each with its own verdict.
    pub fn each(&self, name: &str) -> Option<&[Result<Self, Error>]> {
        match self.values.get(name) {
            Some(Checked::Each(items)) => Some(items),
            _ => None,
        }
    }

    /// Whether the field was sent as null.
    pub fn is_null(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(Checked::Null))
    }

    /// Whether the field was sent at all, null included (a default does not count as sent only when
    /// its kind has none).
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

/// The value of one field over all its spellings and places; `None` = not sent.
fn read_field(
    field: &Field,
    body: &Map<String, Value>,
    query: &[(String, String)],
    zone: &jiff::tz::TimeZone,
) -> Result<Option<Checked>, Error> {
    let mut found: Option<Checked> = None;
    for sent in sent::of(field, body, query) {
        if let Some(sentence) = field.required
            && sent.is_blank()
        {
            return Err(missing(field, sentence));
        }
        let value = read_value(field, &sent, zone)?;
        match &found {
            Some(first) if *first != value => return Err(conflicting(field)),
            _ => found = Some(value),
        }
    }
    match (found, field.required, field.kind) {
        (None, Some(sentence), _) => Err(missing(field, sentence)),
        (None | Some(Checked::Null), None, Kind::Clamped { default, .. }) => Ok(Some(Checked::Int(default))),
        (found, ..) => Ok(found),
    }
}

fn read_value(field: &Field, sent: &Sent<'_>, zone: &jiff::tz::TimeZone) -> Result<Checked, Error> {
    if matches!(sent, Sent::Body(Value::Null)) {
        return Ok(Checked::Null);
    }
    let read = match field.kind {
        Kind::Text { min, max } => text::text(sent, min, max),
        Kind::Id => text::id(sent),
        Kind::OneOf(words) => text::one_of(sent, words),
        Kind::Time => text::time(sent, zone, signet_model::time::DateEdge::Start),
        Kind::TimeUntil => text::time(sent, zone, signet_model::time::DateEdge::End),
        Kind::Bool => text::flag(sent),
        Kind::Int { min, max } => number::int(sent, min, max),
        Kind::Clamped { min, max, .. } => number::clamped(sent, min, max),
        Kind::Number { min, max } => number::number(sent, min, max),
        Kind::Tags => list::tags(sent),
        Kind::Texts { max, min_len, max_len } => list::texts(sent, max, min_len..=max_len),
        Kind::SomeOf(words) => list::some_of(sent, words),
        Kind::Object { max_bytes } => nested::object(sent, max_bytes),
        Kind::Record(fields) => return nested::record(field, sent, fields, zone),
        Kind::Items { max, fields } => return nested::items(field, sent, (max, fields), zone),
        Kind::Each { max, fields } => return nested::each(field, sent, (max, fields), zone),
    };
    read.map_err(|rule| wrong(field, &rule))
}

/// 400 for a value that breaks its rule; `rule` follows the field's name in the sentence.
fn wrong(field: &Field, rule: &str) -> Error {
    match field.wrong {
        Some(sentence) => Error::field(field.name, sentence),
        None => Error::field(field.name, format!("{} {rule}", field.name)),
    }
}

fn missing(field: &Field, sentence: &str) -> Error {
    Error::field(field.name, sentence)
}

fn conflicting(field: &Field) -> Error {
    let name = field.name;
    let mut error =
        Error::new(Code::ConflictingFields, format!("{name} is given more than once with different values"))
            .hint(format!("send {name} once, in one spelling and in one place"));
    error.field = Some(name.to_owned());
    error
}

#[cfg(test)]
mod tests;

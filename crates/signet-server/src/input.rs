//! A request's fields after validation: typed, in one spelling, body and query merged.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use signet_model::{Error, Timestamp};

use crate::field::Field;

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
    /// Items, each validated.
    Items(Vec<Input>),
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
        _fields: &'static [Field],
        _body: &Map<String, Value>,
        _query: &[(String, String)],
        _zone: &jiff::tz::TimeZone,
    ) -> Result<Self, Error> {
        todo!("server slice")
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
        matches!(self.values.get(name), Some(Checked::Bool(true)))
    }

    /// The flag of a field, when sent.
    pub fn maybe_flag(&self, name: &str) -> Option<bool> {
        match self.values.get(name) {
            Some(Checked::Bool(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// The whole number of a field ([`crate::field::Kind::Clamped`] is always there).
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

    /// The items of a field.
    pub fn items(&self, name: &str) -> Option<&[Self]> {
        match self.values.get(name) {
            Some(Checked::Items(items)) => Some(items),
            _ => None,
        }
    }

    /// Whether the field was sent as null.
    pub fn is_null(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(Checked::Null))
    }

    /// Whether the field was sent at all.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

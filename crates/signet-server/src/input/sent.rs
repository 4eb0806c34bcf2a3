//! Where a field stands in a request: body or query, under any of its spellings.

use serde_json::{Map, Value};

use crate::field::{Field, Kind, spelling};

/// One value as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sent<'a> {
    /// A JSON value.
    Body(&'a Value),
    /// A query text, percent-decoded.
    Query(String),
}

impl Sent<'_> {
    /// Null, or text of white space only.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Body(Value::Null) => true,
            Self::Body(value) => value.as_str().is_some_and(|text| text.trim().is_empty()),
            Self::Query(text) => text.trim().is_empty(),
        }
    }

    /// The text of a JSON string or of a query value.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Body(value) => value.as_str(),
            Self::Query(text) => Some(text),
        }
    }
}

/// Every value sent for `field`. An empty query value counts as not sent unless the field is required;
/// a repeated query key of a list is one list.
pub(super) fn of<'a>(
    field: &Field,
    body: &'a Map<String, Value>,
    query: &[(String, String)],
) -> Vec<Sent<'a>> {
    let is_field = |name: &str| {
        spelling::same(field.name, name) || field.aliases.iter().any(|alias| spelling::same(alias, name))
    };
    let mut sent: Vec<Sent<'a>> =
        body.iter().filter(|(name, _)| is_field(name)).map(|(_, value)| Sent::Body(value)).collect();
    let texts: Vec<&str> = query
        .iter()
        .filter(|(name, text)| is_field(name) && (field.required.is_some() || !text.trim().is_empty()))
        .map(|(_, text)| text.as_str())
        .collect();
    if matches!(field.kind, Kind::Tags | Kind::Texts { .. } | Kind::SomeOf(_)) && texts.len() > 1 {
        sent.push(Sent::Query(texts.join(",")));
    } else {
        sent.extend(texts.into_iter().map(|text| Sent::Query(text.to_owned())));
    }
    sent
}

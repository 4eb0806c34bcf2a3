//! JSON Schema of request fields, from the same declaration that checks them.

use serde_json::{Map, Value, json};

use crate::field::{Field, Kind};

/// The schema of a body with these fields.
pub(super) fn object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), described(field))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.required.is_some()).map(|field| field.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// A query parameter.
pub(super) fn parameter(field: &Field) -> Value {
    json!({
        "name": field.name,
        "in": "query",
        "required": field.required.is_some(),
        "description": field.doc,
        "schema": kind(field.kind),
    })
}

fn described(field: &Field) -> Value {
    let mut schema = kind(field.kind);
    let doc = match field.aliases {
        [] => field.doc.to_owned(),
        aliases => format!("{} Also accepted as {}.", field.doc, aliases.join(", ")),
    };
    schema["description"] = doc.into();
    schema
}

fn kind(kind: Kind) -> Value {
    match kind {
        Kind::Text { min, max } => json!({ "type": "string", "minLength": min, "maxLength": max }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Int { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        // Values outside are moved into the range, so the schema takes any number.
        Kind::Clamped { default, min, max } => {
            json!({ "type": "number", "default": default, "x-clamped": [min, max] })
        }
        Kind::Number { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        Kind::Time | Kind::TimeUntil => {
            json!({ "type": "string", "x-format": "RFC 3339 time, zone-less time or date" })
        }
        Kind::Tags => json!({
            "oneOf": [
                { "type": "string" },
                { "type": "array", "items": { "type": "string", "maxLength": 64 }, "maxItems": 32 },
                { "type": "null" },
            ],
        }),
        Kind::Texts { max, min_len, max_len } => json!({
            "type": "array", "maxItems": max,
            "items": { "type": "string", "minLength": min_len, "maxLength": max_len },
        }),
        Kind::OneOf(words) => json!({ "type": "string", "enum": words }),
        Kind::SomeOf(words) => json!({ "type": "array", "items": { "type": "string", "enum": words } }),
        Kind::Object { max_bytes } => json!({ "type": "object", "x-maxBytes": max_bytes }),
        Kind::Record(fields) => object(fields),
        Kind::Items { max, fields } | Kind::Each { max, fields } => {
            json!({ "type": "array", "maxItems": max, "items": object(fields) })
        }
        Kind::Id => {
            json!({ "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[A-Za-z0-9_:.@/-]+$" })
        }
    }
}

//! Repair of what a JSON value of a memory cannot hold, in its texts and in its names.

use std::borrow::Cow;
use std::ops::BitOr;

use serde_json::{Map, Value};
use signet_model::text::repair;

/// Replaces every NUL in an object, and says whether there was one. Of two names that repair makes
/// equal, the later one stays.
pub(super) fn object(fields: &mut Map<String, Value>) -> bool {
    let names = fields.keys().any(|name| name.contains('\0'));
    if names {
        let old = std::mem::take(fields);
        fields.extend(old.into_iter().map(|(name, value)| (repair::text(&name).into_owned(), value)));
    }
    fields.values_mut().map(value).fold(names, bool::bitor)
}

fn value(held: &mut Value) -> bool {
    match held {
        Value::String(text) => match repair::text(text) {
            Cow::Owned(repaired) => {
                *text = repaired;
                true
            }
            Cow::Borrowed(_) => false,
        },
        Value::Array(items) => items.iter_mut().map(value).fold(false, bool::bitor),
        Value::Object(fields) => object(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_goes_from_every_text_and_name() {
        let mut held = serde_json::json!({ "a\0": ["b\0", { "c": "d" }], "e": 1 });
        assert!(value(&mut held));
        assert_eq!(held, serde_json::json!({ "a\u{fffd}": ["b\u{fffd}", { "c": "d" }], "e": 1 }));
        assert!(!value(&mut held), "nothing is left to repair");
    }
}

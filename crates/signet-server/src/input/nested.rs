//! Objects and arrays of objects.

use jiff::tz::TimeZone;
use serde_json::Value;
use signet_model::Error;

use super::sent::Sent;
use super::{Checked, Input, wrong};
use crate::field::Field;

/// Most items and the fields of one.
type ItemRule = (usize, &'static [Field]);

/// A free object of at most `max_bytes` bytes.
pub(super) fn object(sent: &Sent<'_>, max_bytes: usize) -> Result<Checked, String> {
    let Sent::Body(Value::Object(object)) = sent else {
        return Err("must be an object".to_owned());
    };
    let bytes = serde_json::to_string(object).map_or(usize::MAX, |text| text.len());
    if bytes > max_bytes {
        return Err(format!("must be at most {max_bytes} bytes of JSON"));
    }
    Ok(Checked::Object(object.clone()))
}

/// An object with known fields.
pub(super) fn record(
    field: &Field,
    sent: &Sent<'_>,
    fields: &'static [Field],
    zone: &TimeZone,
) -> Result<Checked, Error> {
    let Sent::Body(Value::Object(object)) = sent else {
        return Err(wrong(field, "must be an object"));
    };
    let record = Input::check(fields, object, &[], zone);
    record.map(Checked::Record).map_err(|error| inside(field.name, error))
}

/// An array of objects; the first faulty one refuses all.
pub(super) fn items(
    field: &Field,
    sent: &Sent<'_>,
    rule: ItemRule,
    zone: &TimeZone,
) -> Result<Checked, Error> {
    let values = values(field, sent, rule.0)?;
    let items = values.iter().enumerate().map(|(n, value)| item(field, rule.1, (n, value), zone));
    Ok(Checked::Items(items.collect::<Result<_, _>>()?))
}

/// An array of objects, each with its own verdict.
pub(super) fn each(
    field: &Field,
    sent: &Sent<'_>,
    rule: ItemRule,
    zone: &TimeZone,
) -> Result<Checked, Error> {
    let values = values(field, sent, rule.0)?;
    let items = values.iter().enumerate().map(|(n, value)| item(field, rule.1, (n, value), zone));
    Ok(Checked::Each(items.collect()))
}

fn values<'a>(field: &Field, sent: &Sent<'a>, max: usize) -> Result<&'a [Value], Error> {
    let Sent::Body(Value::Array(values)) = sent else {
        return Err(wrong(field, "must be an array of objects"));
    };
    if let (true, Some(sentence)) = (values.is_empty(), field.required) {
        return Err(super::missing(field, sentence));
    }
    if values.len() > max {
        return Err(wrong(field, &format!("must have at most {max} items")));
    }
    Ok(values)
}

fn item(
    field: &Field,
    fields: &'static [Field],
    (n, value): (usize, &Value),
    zone: &TimeZone,
) -> Result<Input, Error> {
    let path = format!("{}[{n}]", field.name);
    let Value::Object(object) = value else {
        let sentence = format!("{path} must be an object");
        return Err(Error::field(&path, sentence));
    };
    Input::check(fields, object, &[], zone).map_err(|error| inside(&path, error))
}

/// Names the fault by its whole path, as in `patches[2].importance`.
fn inside(outer: &str, mut error: Error) -> Error {
    if let Some(inner) = &error.field {
        error.message = format!("{outer}: {}", error.message);
        error.field = Some(format!("{outer}.{inner}"));
    }
    error
}

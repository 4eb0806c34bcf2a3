//! One scalar or list of the file as the value its key takes.

use serde_json::{Number, Value};

use super::key::{Key, Kind};
use super::yaml::{Node, Yaml};

/// The checked value, or the sentence why not.
pub(crate) fn check(key: &Key, path: &str, node: &Node) -> Result<Value, String> {
    if node.is_null() {
        return if key.takes_null() || key.kind == Kind::Open { Ok(Value::Null) } else { default(key) };
    }
    match key.kind {
        Kind::Open => open(node),
        Kind::Texts => list(path, key, node),
        _ => match &node.value {
            Yaml::Scalar { text, plain } => scalar(key, path, text, *plain),
            Yaml::List(_) => Err(format!("`{path}` must be {}, not a list", key.type_name())),
            Yaml::Map(_) => Err(format!("`{path}` must be {}, not a section", key.type_name())),
        },
    }
}

/// The default of a key; the table is checked by a test, so this cannot fail at run time.
pub(crate) fn default(key: &Key) -> Result<Value, String> {
    serde_json::from_str(key.default)
        .map_err(|error| format!("the default of `{}` is no JSON: {error}", key.path))
}

/// A value given as text, from an environment variable or the command line.
pub(crate) fn from_text(key: &Key, path: &str, text: &str) -> Result<Value, String> {
    if key.kind == Kind::Texts {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        return Ok(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()));
    }
    scalar(key, path, text, true)
}

fn scalar(key: &Key, path: &str, text: &str, plain: bool) -> Result<Value, String> {
    let wrong = || match key.range() {
        Some(range) => format!("`{path}` must be {} ({range}), not `{}`", key.type_name(), shown(text)),
        None => format!("`{path}` must be {}, not `{}`", key.type_name(), shown(text)),
    };
    let out_of_range = || {
        let range = key.range().unwrap_or_default();
        format!("`{path}` must be in the range {range}, not {}", shown(text))
    };
    let whole = |value: Option<i64>, min: i64, max: i64| {
        let value = value.ok_or_else(wrong)?;
        if (min..=max).contains(&value) { Ok(Value::from(value)) } else { Err(out_of_range()) }
    };
    match key.kind {
        Kind::Flag if !plain => Err(wrong()),
        Kind::Flag => match text {
            "true" | "True" | "TRUE" => Ok(Value::Bool(true)),
            "false" | "False" | "FALSE" => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        Kind::Int(min, max) => whole(integer(text).filter(|_| plain), min, max),
        Kind::Millis(min, max) => whole(duration_millis(text), min, max),
        Kind::Bytes(min, max) => whole(bytes(text), min, max),
        Kind::Number(min, max) => {
            let value =
                text.parse::<f64>().ok().filter(|value| plain && value.is_finite()).ok_or_else(wrong)?;
            if value < min || value > max {
                return Err(out_of_range());
            }
            Number::from_f64(value).map(Value::Number).ok_or_else(wrong)
        }
        Kind::Word(words) if words.contains(&text) => Ok(Value::String(text.to_owned())),
        Kind::Word(words) => {
            Err(format!("`{path}` must be one of {}, not `{}`", words.join(", "), shown(text)))
        }
        Kind::Url if text.starts_with("http://") || text.starts_with("https://") => {
            Ok(Value::String(text.to_owned()))
        }
        Kind::Text | Kind::Secret => Ok(Value::String(text.to_owned())),
        Kind::Url | Kind::Texts | Kind::Open => Err(wrong()),
    }
}

fn list(path: &str, key: &Key, node: &Node) -> Result<Value, String> {
    let Yaml::List(items) = &node.value else {
        return Err(format!("`{path}` must be {}", key.type_name()));
    };
    let texts = items.iter().map(|item| match &item.value {
        Yaml::Scalar { text, .. } if !item.is_null() => Ok(Value::String(text.clone())),
        _ => Err(format!("every item of `{path}` must be text")),
    });
    texts.collect::<Result<Vec<_>, _>>().map(Value::Array)
}

fn open(node: &Node) -> Result<Value, String> {
    Ok(match &node.value {
        Yaml::Scalar { .. } if node.is_null() => Value::Null,
        Yaml::Scalar { text, plain } => match text.as_str() {
            "true" if *plain => Value::Bool(true),
            "false" if *plain => Value::Bool(false),
            word => {
                integer(word).filter(|_| *plain).map_or_else(|| Value::String(word.to_owned()), Value::from)
            }
        },
        Yaml::List(items) => Value::Array(items.iter().map(open).collect::<Result<_, _>>()?),
        Yaml::Map(entries) => {
            let pairs = entries.iter().map(|entry| Ok((entry.key.clone(), open(&entry.node)?)));
            Value::Object(pairs.collect::<Result<_, String>>()?)
        }
    })
}

fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Milliseconds of `1500`, `1500ms`, `90s`, `20m`, `6h`, `7d`.
pub(crate) fn duration_millis(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
    let count: i64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "" | "ms" => 1,
        "s" => 1000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    count.checked_mul(unit)
}

fn bytes(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
    let count: i64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" => 1024,
        "MiB" => 1_048_576,
        "GiB" => 1_073_741_824,
        _ => return None,
    };
    count.checked_mul(unit)
}

fn shown(text: &str) -> String {
    let clean: String = text.chars().map(|ch| if ch.is_control() { '\u{fffd}' } else { ch }).collect();
    if clean.chars().count() > 60 { clean.chars().take(59).chain(['…']).collect() } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes() {
        for (text, millis) in [
            ("1500", 1500),
            ("1500ms", 1500),
            ("90s", 90_000),
            ("20m", 1_200_000),
            ("6h", 21_600_000),
            ("7d", 604_800_000),
        ] {
            assert_eq!(duration_millis(text), Some(millis), "{text}");
        }
        for text in ["", "s", "5 weeks", "-1s", "1.5h", "99999999999999999999d"] {
            assert_eq!(duration_millis(text), None, "{text}");
        }
        assert_eq!(bytes("10MiB"), Some(10_485_760));
        assert_eq!(bytes("10MB"), None);
    }
}

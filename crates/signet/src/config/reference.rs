//! What is generated from the key table: the example file, `docs/config.md`, the JSON schema.

#[cfg(test)]
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::idle;
use super::key::{Key, Kind};
#[cfg(test)]
use super::legacy;
use super::{section, value};

/// `agent.yaml` with every key that has an effect, at its default.
#[cfg(test)]
pub(crate) fn example() -> String {
    let mut out = String::from(
        "# Every key of agent.yaml that has an effect in this build, at its default.\n\
         # A file needs only the lines that differ. docs/config.md lists the other keys too.\n\
         # Durations: milliseconds or 90s, 20m, 6h, 7d. Secrets: env:NAME or $secret:NAME.\n",
    );
    let mut open: Vec<&str> = Vec::new();
    for key in section::keys().filter(|key| !key.is_pattern() && key.has_effect()) {
        let parts: Vec<&str> = key.path.split('.').collect();
        let (leaf, folders) = parts.split_last().map_or(("", &[][..]), |(leaf, folders)| (*leaf, folders));
        let shared = open.iter().zip(folders).take_while(|(a, b)| a == b).count();
        open.truncate(shared);
        for folder in &folders[shared..] {
            let _ = writeln!(out, "{}{folder}:", "  ".repeat(open.len()));
            open.push(folder);
        }
        let indent = "  ".repeat(open.len());
        let range = key.range().map(|range| format!(" ({range})")).unwrap_or_default();
        let _ = writeln!(out, "{indent}# {}{range}", key.doc);
        let _ = writeln!(out, "{indent}{leaf}: {}", key.default);
    }
    out
}

/// The reference page.
#[cfg(test)]
pub(crate) fn markdown() -> String {
    let mut out = String::from(
        "# Configuration\n\n\
         `agent.yaml` in the workspace; when there is none, every key has its default.\n\
         This page is generated from the key table; `signet config check` checks a file against it.\n\n\
         - Every key may be written in camelCase or snake_case.\n\
         - Durations take milliseconds or text such as `90s`, `20m`, `6h`, `7d`; sizes take bytes or `10MiB`.\n\
         - Secrets take `env:NAME` (environment), `$secret:NAME` (the file `.secrets/NAME`) or the value itself.\n\
         - Precedence: flag, environment, file, default.\n\
         - A key that is unknown, retired or out of range stops the daemon from starting.\n",
    );
    tables(&mut out, "##", section::keys().filter(|key| key.has_effect()));
    let _ = write!(
        out,
        "\n## Keys {}\n\n\
         They are accepted and checked, and nothing reads them yet: their features are not in this build.\n",
        idle::MARK
    );
    tables(&mut out, "###", section::keys().filter(|key| !key.has_effect()));
    old_names(&mut out);
    out
}

/// Tables of keys, a heading for each section.
#[cfg(test)]
fn tables(out: &mut String, level: &str, keys: impl Iterator<Item = &'static Key>) {
    let mut heading = String::new();
    for key in keys {
        let title = title(key);
        if title != heading {
            let _ = write!(
                out,
                "\n{level} {title}\n\n| key | default | range | meaning |\n| --- | --- | --- | --- |\n"
            );
            heading = title;
        }
        let default = if key.default == "null" { "none".to_owned() } else { format!("`{}`", key.default) };
        let range = key.range().unwrap_or_else(|| key.type_name().to_owned());
        let env = key.env.map(|name| format!(" Environment: `{name}`.")).unwrap_or_default();
        let restart = if key.restart { " Needs a restart." } else { "" };
        let _ = writeln!(out, "| `{}` | {default} | {range} | {}{env}{restart} |", key.path, key.doc);
    }
}

/// Keys of older files.
#[cfg(test)]
fn old_names(out: &mut String) {
    out.push_str(
        "\n## Retired keys\n\nA file with one of these is refused.\n\n| key | instead |\n| --- | --- |\n",
    );
    for (path, instead) in legacy::RETIRED {
        let _ = writeln!(out, "| `{path}` | {instead} |");
    }
    out.push_str("\n## Renamed keys\n\nRead with a warning.\n\n| key | now |\n| --- | --- |\n");
    for (old, now) in legacy::RENAMED {
        let _ = writeln!(out, "| `memory.pipelineV2.{old}` | `memory.pipelineV2.{now}` |");
    }
    let _ = writeln!(out, "| `{}` | `{}`, a quarter of it |", legacy::INJECT_CHARS.0, legacy::INJECT_CHARS.1);
    out.push_str(
        "\n## Ignored keys\n\nAccepted without a check, so that a file of an older installation loads: ",
    );
    let names: Vec<String> = legacy::IGNORED.iter().map(|path| format!("`{path}`")).collect();
    let _ = writeln!(out, "{}.", names.join(", "));
}

#[cfg(test)]
fn title(key: &Key) -> String {
    let parts: Vec<&str> = key.path.split('.').collect();
    match parts.as_slice() {
        ["memory", second, _, ..] => format!("memory.{second}"),
        [first, _, ..] => (*first).to_owned(),
        _ => "Top level".to_owned(),
    }
}

/// JSON schema of the file (draft 2020-12), in camelCase spelling.
pub(crate) fn schema() -> Value {
    let mut root = object();
    for key in section::keys() {
        let parts: Vec<&str> = key.path.split('.').collect();
        insert(&mut root, &parts, leaf(key));
    }
    root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".to_owned(), json!("agent.yaml"));
    Value::Object(root)
}

fn object() -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), json!("object"))])
}

fn insert(at: &mut Map<String, Value>, parts: &[&str], leaf: Value) {
    let Some((head, rest)) = parts.split_first() else { return };
    let slot = if *head == "*" {
        at.entry("additionalProperties").or_insert_with(|| Value::Object(object()))
    } else {
        let properties = at.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(properties) = properties else { return };
        properties.entry((*head).to_owned()).or_insert_with(|| Value::Object(object()))
    };
    if rest.is_empty() {
        *slot = leaf;
    } else if let Value::Object(next) = slot {
        insert(next, rest, leaf);
    }
}

fn leaf(key: &Key) -> Value {
    let mut schema = Map::new();
    let null = key.takes_null();
    let ty = |name: &str| if null { json!([name, "null"]) } else { json!(name) };
    match key.kind {
        Kind::Flag => schema.insert("type".to_owned(), ty("boolean")),
        Kind::Int(min, max) => {
            schema.insert("minimum".to_owned(), json!(min));
            schema.insert("maximum".to_owned(), json!(max));
            schema.insert("type".to_owned(), ty("integer"))
        }
        Kind::Number(min, max) => {
            schema.insert("minimum".to_owned(), json!(min));
            if max.is_finite() {
                schema.insert("maximum".to_owned(), json!(max));
            }
            schema.insert("type".to_owned(), ty("number"))
        }
        Kind::Millis(..) | Kind::Bytes(..) => schema.insert("type".to_owned(), json!(["integer", "string"])),
        Kind::Word(words) => {
            let mut words: Vec<Value> = words.iter().map(|word| json!(word)).collect();
            if null {
                words.push(Value::Null);
            }
            schema.insert("enum".to_owned(), Value::Array(words))
        }
        Kind::Text | Kind::Secret => schema.insert("type".to_owned(), ty("string")),
        Kind::Url => {
            schema.insert("pattern".to_owned(), json!("^https?://"));
            schema.insert("type".to_owned(), ty("string"))
        }
        Kind::Texts => {
            schema.insert("items".to_owned(), json!({"type": "string"}));
            schema.insert("type".to_owned(), ty("array"))
        }
        Kind::Open => None,
    };
    if let Ok(default) = value::default(key)
        && !key.is_pattern()
    {
        schema.insert("default".to_owned(), default);
    }
    let mark = if key.has_effect() { String::new() } else { format!(" ({})", idle::MARK) };
    schema.insert("description".to_owned(), json!(format!("{}{mark}", key.doc)));
    Value::Object(schema)
}

#[cfg(test)]
mod tests;

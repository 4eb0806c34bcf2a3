//! `signet config …`. Reads the file itself: it works without a daemon, and before the first one.

use clap::Subcommand;
use serde_json::{Map, Value, json};

use super::cx::Cx;
use super::fail::Fail;
use super::out::Style;
use crate::config::issue::{Issue, Level};
use crate::config::key::Kind;
use crate::config::load::Effective;
use crate::config::{self, Loaded, check, reference, secret, spelling};

/// Commands of `config`.
#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Check the file: every problem with its line, and what to do.
    Check,
    /// Show every value that is in effect.
    Show {
        /// With the place each value came from.
        #[arg(long)]
        origin: bool,
    },
    /// Show one value.
    Get {
        /// Dotted path, such as `embedding.provider`.
        key: String,
    },
    /// Print the JSON schema of the file, for editors.
    Schema,
}

/// Runs a command of `config`.
pub(crate) fn run(cx: &Cx, command: &Config) -> Result<(), Fail> {
    match command {
        Config::Check => check_file(cx),
        Config::Show { origin } => show(cx, *origin),
        Config::Get { key } => get(cx, key),
        Config::Schema => cx.out.line(&format!("{:#}", reference::schema())),
    }
}

fn load(cx: &Cx) -> Result<Loaded, Fail> {
    Ok(config::load(&cx.workspace()?.root, &cx.env))
}

fn check_file(cx: &Cx) -> Result<(), Fail> {
    let loaded = load(cx)?;
    let bad = loaded.issues.iter().any(|issue| issue.level != Level::Ignored);
    if cx.out.is_json() {
        let issues: Vec<Value> = loaded.issues.iter().map(as_json).collect();
        cx.out.json_list(&json!({ "ok": loaded.errors().next().is_none(), "issues": issues }), "issues")?;
    } else {
        for issue in &loaded.issues {
            let style = match issue.level {
                Level::Error => Style::Bad,
                Level::Warning => Style::Warn,
                Level::Ignored => Style::Dim,
            };
            cx.out.line(&format!(
                "{} {}",
                cx.out.paint(style, issue.level.as_str()),
                loaded.describe(issue)
            ))?;
        }
        if !bad {
            let file = loaded
                .file
                .as_ref()
                .map_or("no file; all defaults".to_owned(), |file| file.display().to_string());
            cx.out.line(&format!("{} {file}", cx.out.paint(Style::Good, "ok")))?;
        }
    }
    if bad { Err(Fail::findings()) } else { Ok(()) }
}

fn as_json(issue: &Issue) -> Value {
    json!({
        "level": issue.level.as_str(),
        "path": issue.path,
        "line": (issue.place.line > 0).then_some(issue.place.line),
        "column": (issue.place.line > 0).then_some(issue.place.column),
        "message": issue.message,
        "replacement": issue.replacement,
        "nearest": issue.nearest,
    })
}

/// A value as it may be shown: secrets only as references.
fn shown(path: &str, effective: &Effective) -> Value {
    let is_secret = check::leaf(path).is_some_and(|key| key.kind == Kind::Secret);
    match &effective.value {
        Value::String(text) if is_secret => json!(secret::masked(text)),
        value => value.clone(),
    }
}

fn show(cx: &Cx, origin: bool) -> Result<(), Fail> {
    let loaded = load(cx)?;
    crate::lifecycle::refuse(&loaded)?;
    let path_of = |path: &str| path.replace(check::DOT, ".");
    if cx.out.is_json() {
        let entries = loaded.values.iter().map(|(path, effective)| {
            let mut entry = Map::from_iter([("value".to_owned(), shown(path, effective))]);
            if origin {
                entry.insert("source".to_owned(), json!(effective.origin.as_str()));
                entry.insert("line".to_owned(), json!(effective.line));
            }
            (path_of(path), Value::Object(entry))
        });
        return cx.out.json(&Value::Object(entries.collect()));
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (path, effective) in &loaded.values {
        let mut row = vec![path_of(path), plain(&shown(path, effective))];
        if origin {
            let line = effective.line.map(|line| format!(" line {line}")).unwrap_or_default();
            row.push(format!("{}{line}", effective.origin.as_str()));
        }
        rows.push(row);
    }
    let head: &[&str] = if origin { &["key", "value", "from"] } else { &["key", "value"] };
    cx.out.table(head, 1, &rows)
}

fn get(cx: &Cx, typed: &str) -> Result<(), Fail> {
    let loaded = load(cx)?;
    crate::lifecycle::refuse(&loaded)?;
    let parts: Vec<&str> = typed.split('.').collect();
    let found = loaded.values.iter().find(|(path, _)| {
        let known: Vec<&str> = path.split('.').collect();
        known.len() == parts.len()
            && known.iter().zip(&parts).all(|(known, typed)| spelling::same(known, typed))
    });
    let Some((path, effective)) = found else {
        let near = spelling::nearest(typed, loaded.values.keys().map(String::as_str));
        let hint = near.map_or("signet config show".to_owned(), |near| format!("did you mean `{near}`?"));
        return Err(Fail::new(signet_model::Code::NotFound, format!("no key `{typed}`")).hint(hint));
    };
    let value = shown(path, effective);
    if cx.out.is_json() { cx.out.json(&value) } else { cx.out.line(&plain(&value)) }
}

/// A value without the quotes of JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => super::text::one_line(text),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

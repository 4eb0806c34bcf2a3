//! `signet memory show`.

use clap::Args;
use serde_json::Value;
use signet_client::Client;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::{id, text, when};

/// Arguments of `memory show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Id or a prefix of it.
    id: String,
    /// Print the stored text alone, byte for byte.
    #[arg(long)]
    raw: bool,
}

/// Fields that are shown first, with their labels.
const FIELDS: [(&str, &str); 22] = [
    ("id", "id"),
    ("type", "type"),
    ("importance", "importance"),
    ("tags", "tags"),
    ("pinned", "pinned"),
    ("who", "who"),
    ("project", "project"),
    ("scope", "scope"),
    ("visibility", "visibility"),
    ("agent_id", "agent"),
    ("version", "version"),
    ("created_at", "created"),
    ("updated_at", "updated"),
    ("updated_by", "updated by"),
    ("occurred_at", "occurred"),
    ("observed_at", "observed"),
    ("valid_from", "valid from"),
    ("valid_until", "valid until"),
    ("review_after", "review after"),
    ("superseded_by", "superseded by"),
    ("deleted_at", "deleted"),
    ("access_count", "recalled"),
];

/// Shows a memory.
pub(crate) fn run(cx: &Cx, args: &Show) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let id = id::resolve(&mut session, &args.id, id::Deleted::No)?;
    let row = session.get(&Client::at("/api/memory/", &id, ""), &[])?;
    if cx.out.is_json() {
        return cx.out.json(&row);
    }
    let content = row.get("content").and_then(Value::as_str).unwrap_or_default();
    if args.raw {
        return cx.out.line(content);
    }
    for (key, label) in FIELDS {
        let value = shown(key, row.get(key));
        if !value.is_empty() {
            let label = format!("{label:<14}");
            cx.out.line(&format!("{}{}", cx.out.paint(Style::Dim, &label), text::one_line(&value)))?;
        }
    }
    source(cx, &row)?;
    safety(cx, &row)?;
    cx.out.line("")?;
    cx.out.line(&text::lines(content))
}

fn shown(key: &str, value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text))
            if key.ends_with("_at") || key.starts_with("valid_") || key == "review_after" =>
        {
            when::local(text)
        }
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if key == "pinned" => yes(number.as_i64() == Some(1)),
        Some(Value::Bool(flag)) => yes(*flag),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => String::new(),
    }
}

fn yes(flag: bool) -> String {
    if flag { "yes".to_owned() } else { String::new() }
}

fn source(cx: &Cx, row: &Value) -> Result<(), Fail> {
    let parts: Vec<String> = ["source_type", "source_id", "source_path"]
        .iter()
        .map(|key| shown(key, row.get(key)))
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        return Ok(());
    }
    let label = cx.out.paint(Style::Dim, &format!("{:<14}", "source"));
    cx.out.line(&format!("{label}{}", text::one_line(&parts.join(" "))))
}

fn safety(cx: &Cx, row: &Value) -> Result<(), Fail> {
    let Some(safety) = row.get("contentSafety").filter(|safety| safety.is_object()) else { return Ok(()) };
    let status = safety.get("status").and_then(Value::as_str).unwrap_or("unknown");
    let reasons: Vec<&str> = safety
        .get("reasons")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let style = if status == "clean" { Style::Good } else { Style::Warn };
    let detail = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    let label = cx.out.paint(Style::Dim, &format!("{:<14}", "safety"));
    cx.out.line(&format!("{label}{}{detail}", cx.out.paint(style, status)))
}

//! `signet receipt …`: what a purge removed, and from where. Never the text.

use clap::Subcommand;
use serde_json::Value;
use signet_client::Client;

use super::cx::Cx;
use super::fail::Fail;
use super::session::Session;
use super::{id, limit, when};

/// Commands of `receipt`.
#[derive(Debug, Subcommand)]
pub(crate) enum Receipt {
    /// List receipts, newest first.
    List {
        /// Most rows.
        #[arg(short = 'l', long, default_value_t = 50, value_parser = limit::whole, value_name = "N")]
        limit: u32,
    },
    /// Show one receipt.
    Show {
        /// Id or a prefix of it.
        id: String,
    },
}

/// Runs a command of `receipt`.
pub(crate) fn run(cx: &Cx, command: &Receipt) -> Result<(), Fail> {
    match command {
        Receipt::List { limit } => list(cx, *limit),
        Receipt::Show { id } => show(cx, id),
    }
}

fn list(cx: &Cx, limit: u32) -> Result<(), Fail> {
    limit::clamped(cx, limit, 1..=200);
    let answer = cx.session()?.get("/api/receipts", &[("limit", limit.to_string())])?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "receipts");
    }
    let receipts = answer.get("receipts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let ids: Vec<&str> = receipts.iter().filter_map(|receipt| receipt.get("id")?.as_str()).collect();
    // In a pipe the whole id; for eyes as much of it as tells the rows apart.
    let length = if cx.out.terminal { id::telling_length(&ids) } else { usize::MAX };
    let rows: Vec<Vec<String>> = receipts.iter().map(|receipt| cells(receipt, length)).collect();
    if rows.is_empty() && cx.out.terminal {
        return cx.out.line("No receipts.");
    }
    cx.out.table(&["id", "when", "by", "reason", "removed"], 4, &rows)
}

fn cells(receipt: &Value, length: usize) -> Vec<String> {
    vec![
        text(receipt, "id").chars().take(length).collect(),
        when::local(&text(receipt, "createdAt")),
        text(receipt, "actor"),
        text(receipt, "reason"),
        removed(receipt),
    ]
}

fn removed(receipt: &Value) -> String {
    let stores = receipt.pointer("/receipt/removed").and_then(Value::as_array).into_iter().flatten();
    let parts: Vec<String> = stores
        .map(|entry| {
            let count = entry.get("count").and_then(Value::as_i64).unwrap_or_default();
            format!("{count} {}", text(entry, "store"))
        })
        .collect();
    parts.join(", ")
}

fn show(cx: &Cx, id: &str) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let id = whole(&mut session, id)?;
    let answer = session.get(&Client::at("/api/receipts/", &id, ""), &[])?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    let Value::Object(fields) = &answer else { return Ok(()) };
    for (key, value) in fields {
        let shown = match value {
            Value::Null => continue,
            Value::String(text) if key.ends_with("At") => when::local(text),
            Value::String(text) => super::text::one_line(text),
            Value::Object(_) if key == "receipt" => removed(&answer),
            other => other.to_string(),
        };
        cx.out.line(&format!("{key:<16}{shown}"))?;
    }
    Ok(())
}

/// The whole id of a prefix among the newest receipts; what fits none or several is asked for as it is.
fn whole(session: &mut Session<'_>, typed: &str) -> Result<String, Fail> {
    if typed.len() < id::SHORTEST || typed.len() >= id::WHOLE {
        return Ok(typed.to_owned());
    }
    let answer = session.get("/api/receipts", &[("limit", "200".to_owned())])?;
    let receipts = answer.get("receipts").and_then(Value::as_array).into_iter().flatten();
    let mut fits = receipts.map(|receipt| text(receipt, "id")).filter(|id| id.starts_with(typed));
    match (fits.next(), fits.next()) {
        (Some(one), None) => Ok(one),
        _ => Ok(typed.to_owned()),
    }
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

//! `signet memory forget`: one id at once, several by filter after a preview, or for good with `--erase`.

mod batch;

use clap::Args;
use serde_json::{Value, json};
use signet_client::{Client, Method};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::session::Session;
use crate::cli::{ask, id, text};

/// Arguments of `memory forget`.
#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// Ids or prefixes of them.
    #[arg(value_name = "ID", conflicts_with = "query", required_unless_present_any = ["query", "kind", "tags", "who", "project", "source_type", "since", "until"])]
    ids: Vec<String>,
    /// Forget what a recall of this question finds, after showing it.
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,
    /// Forget memories of this type, after showing them.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Forget memories with these tags, after showing them.
    #[arg(long, value_name = "TAGS")]
    tags: Option<String>,
    /// Forget what this person or program said, after showing it.
    #[arg(long, value_name = "NAME")]
    who: Option<String>,
    /// Forget memories of this project, after showing them.
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Forget memories of this source type, after showing them.
    #[arg(long, value_name = "TYPE")]
    source_type: Option<String>,
    /// Stored at or after.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Stored before.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Why; kept in the history.
    #[arg(long, default_value = "forgotten on the command line", value_name = "TEXT")]
    reason: String,
    /// Pinned memories too.
    #[arg(long)]
    force: bool,
    /// With filters: all that match, 200 at a time, not only the first 20.
    #[arg(long)]
    all_matching: bool,
    /// Purge now, cold copies included: it cannot be recovered.
    #[arg(long)]
    erase: bool,
}

/// Forgets.
pub(crate) fn run(cx: &Cx, args: &Forget) -> Result<(), Fail> {
    let mut session = cx.session()?;
    if args.ids.is_empty() {
        return batch::run(cx, args, &mut session);
    }
    let typed = args.ids.iter().map(|typed| id::resolve(&mut session, typed, id::Deleted::No));
    let ids = typed.collect::<Result<Vec<_>, _>>()?;
    if args.erase {
        let noun = if ids.len() == 1 { "this memory".to_owned() } else { format!("{} memories", ids.len()) };
        if !ask::confirm(cx, &format!("Erase {noun} for good, from every table and cold copy?"))? {
            return cx.out.line("Nothing was erased.");
        }
        return print_json(cx, erase(cx, args, &mut session, &ids)?);
    }
    let mut answers = Vec::new();
    for id in &ids {
        let body = json!({ "reason": args.reason, "force": args.force });
        let answer = session.call(Method::Delete, &Client::at("/api/memory/", id, ""), Some(&body))?;
        if !cx.out.is_json() {
            cx.out.line(&forgotten(id, &answer))?;
        }
        answers.push(answer);
    }
    print_json(cx, answers)
}

fn forgotten(id: &str, answer: &Value) -> String {
    let until = answer.get("recoverableUntil").and_then(Value::as_str).map(crate::cli::when::local);
    match until {
        Some(until) => format!("Forgotten {id} (recoverable until {until})"),
        None => format!("Forgotten {id}"),
    }
}

/// One answer as it came; several as a list.
fn print_json(cx: &Cx, mut answers: Vec<Value>) -> Result<(), Fail> {
    if !cx.out.is_json() {
        return Ok(());
    }
    match answers.len() {
        1 => cx.out.json(&answers.remove(0)),
        _ => cx.out.json_list(&json!({ "results": answers }), "results"),
    }
}

/// Purges now, cold copies included, and shows each receipt.
fn erase(cx: &Cx, args: &Forget, session: &mut Session<'_>, ids: &[String]) -> Result<Vec<Value>, Fail> {
    let mut answers = Vec::new();
    for id in ids {
        let body = json!({ "reason": args.reason, "confirm": id, "erase": true, "force": args.force });
        let answer = session.post(&Client::at("/api/memory/", id, "/purge"), &body)?;
        if !cx.out.is_json() {
            receipt(cx, id, &answer)?;
        }
        answers.push(answer);
    }
    Ok(answers)
}

fn receipt(cx: &Cx, id: &str, answer: &Value) -> Result<(), Fail> {
    let receipt = answer.get("receiptId").and_then(Value::as_str).unwrap_or_default();
    cx.out.line(&format!("Erased {id}, receipt {receipt}"))?;
    for removed in answer.get("removed").and_then(Value::as_array).into_iter().flatten() {
        let store = removed.get("store").and_then(Value::as_str).unwrap_or_default();
        let count = removed.get("count").and_then(Value::as_i64).unwrap_or_default();
        if count > 0 {
            cx.out.line(&format!("  {store:<24} {count}"))?;
        }
    }
    for left in answer.get("remaining").and_then(Value::as_array).into_iter().flatten() {
        let store = left.get("store").and_then(Value::as_str).unwrap_or_default();
        cx.out.warn(&format!("the text still stands in {store}: other evidence, removed by its own command"));
    }
    let backups = answer.get("backupsHolding").and_then(Value::as_array).into_iter().flatten();
    let backups: Vec<&str> = backups.filter_map(Value::as_str).collect();
    if !backups.is_empty() {
        cx.out.warn(&format!("backups that still hold it: {}", text::one_line(&backups.join(", "))));
    }
    Ok(())
}

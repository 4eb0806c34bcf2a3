//! `signet memory forget`: one id at once, several by filter after a preview, or for good with `--erase`.

use clap::Args;
use serde_json::{Map, Value, json};
use signet_client::{Client, Method};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::session::Session;
use crate::cli::{ask, id, project, remember, text};

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

/// Memories of one preview.
const PAGE: usize = 20;
/// Memories of one preview with `--all-matching`; the daemon's limit.
const WIDE_PAGE: usize = 200;

/// Forgets.
pub(crate) fn run(cx: &Cx, args: &Forget) -> Result<(), Fail> {
    let mut session = cx.session()?;
    if args.ids.is_empty() {
        return by_filter(cx, args, &mut session);
    }
    let ids = args
        .ids
        .iter()
        .map(|typed| id::resolve(&mut session, typed, id::Deleted::No))
        .collect::<Result<Vec<_>, _>>()?;
    if args.erase {
        return erase(cx, args, &mut session, &ids);
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

fn erase(cx: &Cx, args: &Forget, session: &mut Session<'_>, ids: &[String]) -> Result<(), Fail> {
    let noun = if ids.len() == 1 { "memory".to_owned() } else { format!("{} memories", ids.len()) };
    if !ask::confirm(cx, &format!("Erase {noun} for good, from every table and cold copy?"))? {
        return cx.out.line("Nothing was erased.");
    }
    let mut answers = Vec::new();
    for id in ids {
        let body = json!({ "reason": args.reason, "confirm": id, "erase": true, "force": args.force });
        let answer = session.post(&Client::at("/api/memory/", id, "/purge"), &body)?;
        if !cx.out.is_json() {
            receipt(cx, id, &answer)?;
        }
        answers.push(answer);
    }
    print_json(cx, answers)
}

fn receipt(cx: &Cx, id: &str, answer: &Value) -> Result<(), Fail> {
    let receipt = answer.get("receiptId").and_then(Value::as_str).unwrap_or_default();
    cx.out.line(&format!("Erased {id}, receipt {receipt}"))?;
    for removed in answer.get("removed").and_then(Value::as_array).into_iter().flatten() {
        let store = removed.get("store").and_then(Value::as_str).unwrap_or_default();
        let count = removed.get("count").and_then(Value::as_i64).unwrap_or_default();
        cx.out.line(&format!("  {store:<24} {count}"))?;
    }
    for left in answer.get("remaining").and_then(Value::as_array).into_iter().flatten() {
        let store = left.get("store").and_then(Value::as_str).unwrap_or_default();
        cx.out.warn(&format!(
            "the text still stands in {store}; that is other evidence and is removed by its own command"
        ));
    }
    let backups: Vec<&str> = answer
        .get("backupsHolding")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !backups.is_empty() {
        cx.out.warn(&format!("backups that still hold it: {}", text::one_line(&backups.join(", "))));
    }
    Ok(())
}

fn by_filter(cx: &Cx, args: &Forget, session: &mut Session<'_>) -> Result<(), Fail> {
    let limit = if args.all_matching { WIDE_PAGE } else { PAGE };
    let filter = filter(cx, args, limit)?;
    let mut total = Map::new();
    loop {
        let preview = session.post("/api/memory/forget", &with(&filter, &[("mode", json!("preview"))]))?;
        let candidates = candidates(&preview);
        if candidates.is_empty() {
            break;
        }
        if !cx.out.is_json() {
            show(cx, &candidates)?;
        }
        if args.erase {
            let ids: Vec<String> = candidates.into_iter().map(|(id, _)| id).collect();
            erase(cx, args, session, &ids)?;
        } else {
            if !ask::confirm(cx, &format!("Forget {} memories?", candidates.len()))? {
                return cx.out.line("Nothing was forgotten.");
            }
            execute(args, session, &preview, &candidates, &mut total)?;
        }
        if !args.all_matching || total.get("deleted").and_then(Value::as_u64) == Some(0) {
            break;
        }
    }
    match (cx.out.is_json(), total.get("deleted").and_then(Value::as_u64)) {
        (true, _) if !args.erase => cx.out.json(&Value::Object(total)),
        (true, _) => Ok(()),
        (false, Some(deleted)) => {
            cx.out.line(&format!("Forgotten {deleted} memories (recoverable for 30 days)"))
        }
        (false, None) if args.erase => Ok(()),
        (false, None) => cx.out.line("No memories match."),
    }
}

/// Forgets exactly what was shown: the ids of the preview, with its token.
fn execute(
    args: &Forget,
    session: &mut Session<'_>,
    preview: &Value,
    candidates: &[(String, Vec<String>)],
    total: &mut Map<String, Value>,
) -> Result<(), Fail> {
    let ids: Vec<&str> = candidates.iter().map(|(id, _)| id.as_str()).collect();
    let body = json!({
        "mode": "execute",
        "ids": ids,
        "limit": ids.len(),
        "reason": args.reason,
        "force": args.force,
        "confirm_token": preview.get("confirmToken"),
    });
    let answer = session.post("/api/memory/forget", &body)?;
    let before = total.get("deleted").and_then(Value::as_u64).unwrap_or_default();
    let now = answer.get("deleted").and_then(Value::as_u64).unwrap_or_default();
    if let Value::Object(answer) = answer {
        total.extend(answer);
    }
    total.insert("deleted".to_owned(), json!(before + now));
    if now == 0 && before > 0 {
        // Only pinned rows are left: asking again would show the same ones for ever.
        total.insert("deleted".to_owned(), json!(before));
        return Err(Fail::new(
            signet_model::Code::PinnedRequiresForce,
            "the memories that are left are pinned",
        )
        .hint("add --force"));
    }
    Ok(())
}

fn filter(cx: &Cx, args: &Forget, limit: usize) -> Result<Map<String, Value>, Fail> {
    let project = match &args.project {
        Some(named) => Some(project::named(named, remember::worktrees(cx))?),
        None => None,
    };
    let texts = [
        ("query", &args.query),
        ("type", &args.kind),
        ("tags", &args.tags),
        ("who", &args.who),
        ("project", &project),
        ("source_type", &args.source_type),
        ("since", &args.since),
        ("until", &args.until),
    ];
    let mut filter = Map::from_iter([("limit".to_owned(), json!(limit))]);
    for (key, value) in texts {
        if let Some(value) = value {
            filter.insert(key.to_owned(), json!(value));
        }
    }
    Ok(filter)
}

fn with(filter: &Map<String, Value>, more: &[(&str, Value)]) -> Value {
    let mut body = filter.clone();
    body.extend(more.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    Value::Object(body)
}

fn candidates(preview: &Value) -> Vec<(String, Vec<String>)> {
    let rows = preview.get("candidates").and_then(Value::as_array).into_iter().flatten();
    rows.map(|row| {
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let pinned = row
            .get("pinned")
            .is_some_and(|pinned| pinned.as_bool() == Some(true) || pinned.as_i64() == Some(1));
        let mark = if pinned { "pinned".to_owned() } else { String::new() };
        (text("id"), vec![text("id"), mark, text("excerpt")])
    })
    .collect()
}

fn show(cx: &Cx, candidates: &[(String, Vec<String>)]) -> Result<(), Fail> {
    let rows: Vec<Vec<String>> = candidates.iter().map(|(_, row)| row.clone()).collect();
    cx.out.table(&["id", "", "text"], 2, &rows)
}

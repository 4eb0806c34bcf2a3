//! Forgetting by filter: a preview is shown, and exactly what was shown is forgotten.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Forget, erase, print_json};
use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::session::Session;
use crate::cli::{ask, project, remember, text};

/// Memories of one preview.
const PAGE: usize = 20;
/// Memories of one preview with `--all-matching`; the daemon's limit.
const WIDE_PAGE: usize = 200;

/// A memory of a preview.
struct Candidate {
    id: String,
    pinned: bool,
    excerpt: String,
}

/// Forgets what the filters find.
pub(super) fn run(cx: &Cx, args: &Forget, session: &mut Session<'_>) -> Result<(), Fail> {
    let filter = filter(cx, args)?;
    let (mut seen, mut answers) = (BTreeSet::new(), Vec::new());
    loop {
        let preview = session.post("/api/memory/forget", &with(&filter, "mode", json!("preview")))?;
        let all: Vec<Candidate> = candidates(&preview).collect();
        // What an earlier round showed and could not forget (pinned) is not asked about again.
        let fresh: Vec<&Candidate> = all.iter().filter(|candidate| !seen.contains(&candidate.id)).collect();
        if fresh.is_empty() {
            break;
        }
        if !cx.out.is_json() {
            show(cx, &fresh)?;
        }
        let verb = if args.erase { "Erase for good" } else { "Forget" };
        if !ask::confirm(cx, &format!("{verb} {}?", text::count(fresh.len(), "memory", "memories")))? {
            return cx.out.line("Nothing was forgotten.");
        }
        if args.erase {
            let ids: Vec<String> = fresh.iter().map(|candidate| candidate.id.clone()).collect();
            answers.extend(erase(cx, args, session, &ids)?);
        } else {
            answers.push(execute(args, session, &preview, &all)?);
        }
        seen.extend(all.into_iter().map(|candidate| candidate.id));
        if !args.all_matching {
            break;
        }
    }
    report(cx, args, answers, seen.len() as u64)
}

/// Only the ids of the preview: its token fits no others.
fn execute(
    args: &Forget,
    session: &mut Session<'_>,
    preview: &Value,
    all: &[Candidate],
) -> Result<Value, Fail> {
    let ids: Vec<&str> = all.iter().map(|candidate| candidate.id.as_str()).collect();
    let body = json!({
        "mode": "execute",
        "ids": ids,
        "limit": ids.len(),
        "reason": args.reason,
        "force": args.force,
        "confirm_token": preview.get("confirmToken"),
    });
    session.post("/api/memory/forget", &body)
}

fn report(cx: &Cx, args: &Forget, answers: Vec<Value>, shown: u64) -> Result<(), Fail> {
    if cx.out.is_json() {
        return print_json(cx, answers);
    }
    if answers.is_empty() {
        return cx.out.line("No memories match.");
    }
    if args.erase {
        return Ok(());
    }
    let deleted: u64 = answers.iter().filter_map(|answer| answer.get("deleted")?.as_u64()).sum();
    let forgotten = text::count(deleted, "memory", "memories");
    cx.out.line(&format!("Forgotten {forgotten} (recoverable for 30 days)"))?;
    if deleted < shown {
        cx.out.warn(&format!(
            "{} are left because they are pinned; --force forgets those too",
            shown - deleted
        ));
    }
    Ok(())
}

fn filter(cx: &Cx, args: &Forget) -> Result<Map<String, Value>, Fail> {
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
    let limit = if args.all_matching { WIDE_PAGE } else { PAGE };
    let mut filter = Map::from_iter([("limit".to_owned(), json!(limit))]);
    for (key, value) in texts {
        if let Some(value) = value {
            filter.insert(key.to_owned(), json!(value));
        }
    }
    Ok(filter)
}

fn with(filter: &Map<String, Value>, key: &str, value: Value) -> Value {
    let mut body = filter.clone();
    body.insert(key.to_owned(), value);
    Value::Object(body)
}

fn candidates(preview: &Value) -> impl Iterator<Item = Candidate> {
    preview.get("candidates").and_then(Value::as_array).into_iter().flatten().map(|row| {
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let pinned =
            row.get("pinned").is_some_and(|flag| flag.as_bool() == Some(true) || flag.as_i64() == Some(1));
        Candidate { id: text("id"), pinned, excerpt: text("excerpt") }
    })
}

fn show(cx: &Cx, candidates: &[&Candidate]) -> Result<(), Fail> {
    let rows: Vec<Vec<String>> = candidates
        .iter()
        .map(|candidate| {
            let pinned = if candidate.pinned { "pinned" } else { "" };
            vec![candidate.id.clone(), pinned.to_owned(), candidate.excerpt.clone()]
        })
        .collect();
    cx.out.table(&["id", "", "text"], 2, &rows)
}

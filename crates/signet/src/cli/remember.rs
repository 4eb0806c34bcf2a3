//! `signet remember`.

use clap::Args;
use serde_json::{Map, Value, json};
use signet_client::RememberAnswer;

use super::cx::Cx;
use super::fail::Fail;
use super::out::Style;
use super::project::{self, Worktrees};
use super::{input, text};

/// Arguments of `remember`.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
#[derive(Debug, Args)]
pub(crate) struct Remember {
    /// The text; `-` reads standard input, `@file` a file.
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    /// Who says so.
    #[arg(short = 'w', long, default_value = "user", value_name = "NAME")]
    who: String,
    /// Tags, separated by commas.
    #[arg(short = 't', long, value_delimiter = ',', value_name = "TAGS")]
    tags: Vec<String>,
    /// 0 to 1.
    #[arg(short = 'i', long, default_value_t = 0.7, value_name = "0..1")]
    importance: f64,
    /// fact, preference, decision, rule, learning, issue, or a word of your own [default: seen from the text].
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Pinned, importance 1: never dampened, deduplicated or forgotten by a machine.
    #[arg(long)]
    critical: bool,
    /// Pinned; the importance stays as it is.
    #[arg(long)]
    pin: bool,
    /// Project [default: the repository or folder you are in].
    #[arg(long, value_name = "PROJECT", conflicts_with = "global_project")]
    project: Option<String>,
    /// Belongs to no project.
    #[arg(long)]
    global_project: bool,
    /// Scope word: kept apart from ordinary recall.
    #[arg(long, value_name = "WORD")]
    scope: Option<String>,
    /// No other agent reads it.
    #[arg(long)]
    private: bool,
    /// A question this memory answers; may be given several times.
    #[arg(long = "hint", value_name = "QUESTION")]
    hints: Vec<String>,
    /// When it happened.
    #[arg(long, value_name = "TIME")]
    occurred_at: Option<String>,
    /// When it was seen.
    #[arg(long, value_name = "TIME")]
    observed_at: Option<String>,
    /// True from.
    #[arg(long, value_name = "TIME")]
    valid_from: Option<String>,
    /// True until.
    #[arg(long, value_name = "TIME")]
    valid_until: Option<String>,
    /// Look at it again after.
    #[arg(long, value_name = "TIME")]
    review_after: Option<String>,
    /// Id of the memory that this one replaces.
    #[arg(long, value_name = "ID")]
    supersedes: Option<String>,
    /// Id of the text at its source: the same id is stored once.
    #[arg(long, value_name = "ID")]
    source_id: Option<String>,
    /// The same key stores once, whatever happens in between.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

/// Stores a memory.
pub(crate) fn run(cx: &Cx, args: &Remember) -> Result<(), Fail> {
    let content = input::text(&args.text)?;
    let body = body(args, &content, project(cx, args)?.as_deref());
    let answer = cx.session()?.post("/api/memory/remember", &body)?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    report(cx, &input::read(answer)?)
}

fn project(cx: &Cx, args: &Remember) -> Result<Option<String>, Fail> {
    if args.global_project {
        return Ok(None);
    }
    let worktrees = worktrees(cx);
    if let Some(named) = &args.project {
        return project::named(named, worktrees).map(Some);
    }
    let folder = std::env::current_dir()
        .map_err(|error| Fail::usage(format!("the current folder: {error}")).hint("name --project"))?;
    project::as_text(&project::around(&folder, worktrees)).map(Some)
}

/// What a worktree counts as, by the configuration (`memory.project.followWorktrees`).
pub(crate) fn worktrees(cx: &Cx) -> Worktrees {
    let loaded = cx.workspace().ok().map(|workspace| crate::config::load(&workspace.root, &cx.env));
    let settings = loaded.and_then(|loaded| loaded.settings);
    let keep = settings.is_some_and(|settings| !settings.memory.project.follow_worktrees);
    if keep { Worktrees::Keep } else { Worktrees::Follow }
}

fn body(args: &Remember, content: &str, project: Option<&str>) -> Value {
    let mut body = Map::new();
    body.insert("content".to_owned(), json!(content));
    body.insert("who".to_owned(), json!(args.who));
    body.insert("importance".to_owned(), json!(if args.critical { 1.0 } else { args.importance }));
    if args.critical || args.pin {
        body.insert("pinned".to_owned(), json!(true));
    }
    if args.private {
        body.insert("visibility".to_owned(), json!("private"));
    }
    for (key, list) in [("tags", &args.tags), ("hints", &args.hints)] {
        if !list.is_empty() {
            body.insert(key.to_owned(), json!(list));
        }
    }
    if let Some(project) = project {
        body.insert("project".to_owned(), json!(project));
    }
    let texts = [
        ("type", &args.kind),
        ("scope", &args.scope),
        ("occurredAt", &args.occurred_at),
        ("observedAt", &args.observed_at),
        ("validFrom", &args.valid_from),
        ("validUntil", &args.valid_until),
        ("reviewAfter", &args.review_after),
        ("supersedes", &args.supersedes),
        ("sourceId", &args.source_id),
        ("idempotencyKey", &args.idempotency_key),
    ];
    for (key, value) in texts {
        if let Some(value) = value {
            body.insert(key.to_owned(), json!(value));
        }
    }
    Value::Object(body)
}

fn report(cx: &Cx, answer: &RememberAnswer) -> Result<(), Fail> {
    if answer.chunked {
        let group = answer.group_id.as_deref().unwrap_or_default();
        let known = answer.deduped_ids.len() == answer.ids.len();
        let verb = if known { "Already known, in" } else { "Saved" };
        return cx.out.line(&format!("{verb} {} parts, group {group}", answer.chunk_count));
    }
    let id = cx.out.paint(Style::Strong, &answer.id);
    if answer.deduped {
        cx.out.line(&format!("Already known {id}"))?;
        if answer.content_differs {
            let hint = answer.hint.as_deref().unwrap_or("the stored text differs and was kept");
            cx.out.warn(&text::one_line(hint));
        }
        return Ok(());
    }
    if answer.content_safety.as_ref().is_some_and(|safety| !safety.context_eligible) {
        let show = format!("signet memory show {}", answer.id);
        return cx.out.line(&format!("Saved {id}, but kept out of recall for agents: `{show}` says why"));
    }
    let vector = if answer.embedded { "" } else { " (vector queued)" };
    cx.out.line(&format!("Saved {id}{}", cx.out.paint(Style::Dim, vector)))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    fn sent(args: &[&str], project: Option<&str>) -> Value {
        let args = ["signet", "remember"].into_iter().chain(args.iter().copied());
        let Some(Command::Remember(args)) = Cli::parse_from(args).command else { panic!("remember") };
        body(&args, &args.text.join(" "), project)
    }

    #[test]
    fn only_what_was_said_is_sent() {
        assert_eq!(sent(&["x"], None), json!({ "content": "x", "who": "user", "importance": 0.7 }));
        assert_eq!(
            sent(&["--pin", "x"], None),
            json!({ "content": "x", "who": "user", "importance": 0.7, "pinned": true })
        );
        assert_eq!(
            sent(
                &[
                    "--critical",
                    "--private",
                    "-t",
                    "a,b",
                    "--hint",
                    "Why?",
                    "--type",
                    "rule",
                    "--scope",
                    "s",
                    "x",
                    "y"
                ],
                Some("/code/app")
            ),
            json!({
                "content": "x y", "who": "user", "importance": 1.0, "pinned": true, "visibility": "private",
                "tags": ["a", "b"], "hints": ["Why?"], "project": "/code/app", "type": "rule", "scope": "s",
            })
        );
        assert_eq!(
            sent(
                &[
                    "--occurred-at",
                    "2026-01-01",
                    "--valid-until",
                    "2027-01-01",
                    "--supersedes",
                    "m1",
                    "--source-id",
                    "s1",
                    "--idempotency-key",
                    "k",
                    "x"
                ],
                None
            ),
            json!({
                "content": "x", "who": "user", "importance": 0.7, "occurredAt": "2026-01-01",
                "validUntil": "2027-01-01", "supersedes": "m1", "sourceId": "s1", "idempotencyKey": "k",
            })
        );
    }

    #[test]
    fn a_project_and_none_cannot_both_be_meant() {
        let args = ["signet", "remember", "x", "--project", "a", "--global-project"];
        assert!(Cli::try_parse_from(args).is_err());
    }
}

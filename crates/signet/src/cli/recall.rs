//! `signet recall`, alias `search`.

mod explain;
mod show;

use clap::Args;
use serde_json::{Map, Value, json};
use signet_client::RecallAnswer;

use super::cx::Cx;
use super::fail::Fail;
use super::{id, input, limit, project, remember};

/// Arguments of `recall`.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// The question; `-` reads standard input, `@file` a file.
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// Most results.
    #[arg(short = 'l', long, default_value_t = 10, value_parser = limit::whole, value_name = "N")]
    limit: u32,
    /// Only this type.
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only memories with all of these tags, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "TAGS")]
    tags: Vec<String>,
    /// Only what this person or program said.
    #[arg(long, value_name = "NAME")]
    who: Option<String>,
    /// Only this project; `.` = the one you are in.
    #[arg(long, value_name = "PROJECT", conflicts_with = "all_projects")]
    project: Option<String>,
    /// Search all projects: the default, for scripts that want to say so.
    #[arg(long)]
    all_projects: bool,
    /// Only this scope word.
    #[arg(long, value_name = "WORD")]
    scope: Option<String>,
    /// Stored at or after.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Stored before.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Words for the lexical channel, when they differ from the question.
    #[arg(long, value_name = "WORDS")]
    keyword_query: Option<String>,
    /// Only pinned memories.
    #[arg(long)]
    pinned: bool,
    /// Only memories at least this important.
    #[arg(long, value_name = "0..1")]
    importance_min: Option<f64>,
    /// Only results with at least this score.
    #[arg(long, value_name = "0..1")]
    min_score: Option<f64>,
    /// Session that asks.
    #[arg(long, value_name = "KEY")]
    session_key: Option<String>,
    /// Show what each channel and each stage did.
    #[arg(long)]
    explain: bool,
    /// Show why this memory is not among the results; implies --explain.
    #[arg(long, value_name = "ID")]
    why_not: Option<String>,
    /// Show whole texts.
    #[arg(long)]
    full: bool,
}

impl Recall {
    /// `--why-not` is answered by the tables of `--explain`.
    fn explains(&self) -> bool {
        self.explain || self.why_not.is_some()
    }
}

/// Recalls.
pub(crate) fn run(cx: &Cx, args: &Recall) -> Result<(), Fail> {
    let query = input::text(&args.query)?;
    let mut session = cx.session()?;
    let why_not = match &args.why_not {
        Some(typed) => Some(id::resolve(&mut session, typed, id::Deleted::No)?),
        None => None,
    };
    limit::clamped(cx, args.limit, 1..=100);
    let body = body(cx, args, &query, why_not.as_ref())?;
    let answer = session.post("/api/memory/recall", &body)?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "results");
    }
    let mut answer: RecallAnswer = input::read(answer)?;
    if args.full {
        whole_texts(&mut session, &mut answer)?;
    }
    show::answer(cx, args.full, &answer)?;
    match &answer.explain {
        Some(explain) if args.explains() => explain::tables(cx, explain),
        _ => Ok(()),
    }
}

fn body(cx: &Cx, args: &Recall, query: &str, why_not: Option<&String>) -> Result<Value, Fail> {
    let mut body = Map::from_iter([
        ("query".to_owned(), json!(query)),
        ("limit".to_owned(), json!(args.limit)),
        ("recallSurface".to_owned(), json!("explicit_api")),
    ]);
    let project = match &args.project {
        Some(named) => Some(project::named(named, remember::worktrees(cx))?),
        None => None,
    };
    let texts = [
        ("type", &args.kind),
        ("who", &args.who),
        ("project", &project),
        ("scope", &args.scope),
        ("since", &args.since),
        ("until", &args.until),
        ("keywordQuery", &args.keyword_query),
        ("sessionKey", &args.session_key),
    ];
    for (key, value) in texts {
        if let Some(value) = value {
            body.insert(key.to_owned(), json!(value));
        }
    }
    if let Some(id) = why_not {
        body.insert("explainId".to_owned(), json!(id));
    }
    for (key, value) in [("importance_min", args.importance_min), ("minScore", args.min_score)] {
        if let Some(value) = value {
            body.insert(key.to_owned(), json!(value));
        }
    }
    if !args.tags.is_empty() {
        body.insert("tags".to_owned(), json!(args.tags));
    }
    for (key, flag) in [("pinned", args.pinned), ("explain", args.explains())] {
        if flag {
            body.insert(key.to_owned(), json!(true));
        }
    }
    Ok(Value::Object(body))
}

/// Results come cut; `--full` fetches the whole text of those that were.
fn whole_texts(session: &mut super::session::Session<'_>, answer: &mut RecallAnswer) -> Result<(), Fail> {
    for hit in answer.results.iter_mut().filter(|hit| hit.truncated) {
        let path = signet_client::Client::at("/api/memory/", &hit.id, "");
        let row: signet_client::MemoryRow = input::read(session.get(&path, &[])?)?;
        hit.content = row.content;
        hit.truncated = false;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    #[test]
    fn only_what_was_said_is_sent() {
        let sent = |args: &[&str]| {
            let cx = Cx::of(&["status"], &[("HOME", "/nowhere")]);
            let args = ["signet", "search"].into_iter().chain(args.iter().copied());
            let Some(Command::Recall(args)) = Cli::parse_from(args).command else { panic!("recall") };
            body(&cx, &args, "q", args.why_not.as_ref()).unwrap()
        };
        assert_eq!(sent(&["q"]), json!({ "query": "q", "limit": 10, "recallSurface": "explicit_api" }));
        assert_eq!(sent(&["q", "--all-projects"]), sent(&["q"]));
        assert_eq!(sent(&["q", "--why-not", "m1"]), sent(&["q", "--explain", "--why-not", "m1"]));
        assert_eq!(
            sent(&[
                "q",
                "-l",
                "3",
                "-t",
                "fact",
                "--tags",
                "a,b",
                "--who",
                "ada",
                "--project",
                "web",
                "--since",
                "2026-01-01",
                "--min-score",
                "0.2",
                "--importance-min",
                "0.5",
                "--pinned",
                "--explain",
                "--why-not",
                "m1",
            ]),
            json!({
                "query": "q", "limit": 3, "recallSurface": "explicit_api", "type": "fact", "who": "ada", "project": "web",
                "since": "2026-01-01", "explainId": "m1", "importance_min": 0.5, "minScore": 0.2, "tags": ["a", "b"],
                "pinned": true, "explain": true,
            })
        );
    }
}

//! `signet memory edit`.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use clap::Args;
use serde_json::{Map, Value, json};
use signet_client::{Client, MemoryRow, Method};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::{ask, id, input, text};

/// Why, when nobody said it.
const USUAL_REASON: &str = "corrected";

/// Arguments of `memory edit`.
#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// Id or a prefix of it.
    id: String,
    /// New text; `-` reads standard input, `@file` a file. Without any of these flags the editor opens.
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
    /// New type.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// New tags, separated by commas; an empty text removes them.
    #[arg(long, value_name = "TAGS")]
    tags: Option<String>,
    /// New importance.
    #[arg(long, value_name = "0..1")]
    importance: Option<f64>,
    /// Pin.
    #[arg(long, conflicts_with = "unpin")]
    pin: bool,
    /// Unpin.
    #[arg(long)]
    unpin: bool,
    /// Why; kept in the history [default: corrected].
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Refuse when the memory has another version by now.
    #[arg(long, value_name = "N")]
    if_version: Option<i64>,
}

/// Changes a memory.
pub(crate) fn run(cx: &Cx, args: &Edit) -> Result<(), Fail> {
    let mut fields = fields(args)?;
    let interactive = fields.is_empty();
    if interactive && !ask::possible(cx) {
        return Err(Fail::usage("nothing to change")
            .hint("give --content, --type, --tags, --importance, --pin or --unpin"));
    }
    let mut session = cx.session()?;
    let id = id::resolve(&mut session, &args.id, id::Deleted::No)?;
    if interactive {
        let row: MemoryRow = input::read(session.get(&Client::at("/api/memory/", &id, ""), &[])?)?;
        let Some(content) = edited(cx, &row.content)? else {
            return cx.out.line("Nothing was changed.");
        };
        fields.insert("content".to_owned(), json!(content));
        fields.insert("if_version".to_owned(), json!(row.version));
    }
    fields.insert("reason".to_owned(), json!(reason(args, interactive)?));
    if let Some(version) = args.if_version {
        fields.insert("if_version".to_owned(), json!(version));
    }
    let path = Client::at("/api/memory/", &id, "");
    let answer = session.call(Method::Patch, &path, Some(&Value::Object(fields)))?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    let version = answer.get("newVersion").and_then(Value::as_i64);
    match (answer.get("status").and_then(Value::as_str), version) {
        (Some("no_changes"), _) => cx.out.line(&format!("{id} is that already; nothing was changed.")),
        (_, Some(version)) => cx.out.line(&format!("Updated {id} (version {version})")),
        _ => cx.out.line(&format!("Updated {id}")),
    }
}

fn fields(args: &Edit) -> Result<Map<String, Value>, Fail> {
    let mut fields = Map::new();
    if let Some(content) = &args.content {
        fields.insert("content".to_owned(), json!(input::text(std::slice::from_ref(content))?));
    }
    if let Some(kind) = &args.kind {
        fields.insert("type".to_owned(), json!(kind));
    }
    if let Some(tags) = &args.tags {
        fields.insert("tags".to_owned(), if tags.trim().is_empty() { Value::Null } else { json!(tags) });
    }
    if let Some(importance) = args.importance {
        fields.insert("importance".to_owned(), json!(importance));
    }
    if args.pin || args.unpin {
        fields.insert("pinned".to_owned(), json!(args.pin));
    }
    Ok(fields)
}

fn reason(args: &Edit, interactive: bool) -> Result<String, Fail> {
    match &args.reason {
        Some(reason) => Ok(reason.clone()),
        // Only after the editor: a script would lose its next line to the question.
        None if interactive => ask::text("Why", USUAL_REASON),
        None => Ok(USUAL_REASON.to_owned()),
    }
}

/// The text after the editor; `None` when it is the same.
fn edited(cx: &Cx, before: &str) -> Result<Option<String>, Fail> {
    let editor =
        ["SIGNET_EDITOR", "VISUAL", "EDITOR"].iter().find_map(|name| cx.env.get(name)).unwrap_or("vi");
    let folder = cx.workspace()?.daemon_dir();
    let path = folder.join(format!("edit-{}.md", std::process::id()));
    let result = through_editor(editor, &path, before);
    drop(std::fs::remove_file(&path));
    let after = result?;
    let after = after.strip_suffix('\n').unwrap_or(&after).to_owned();
    if after == before {
        return Ok(None);
    }
    for line in diff(before, &after) {
        let style = if line.starts_with('+') { Style::Good } else { Style::Bad };
        cx.out.note(&cx.out.paint(style, &text::one_line(&line)));
    }
    Ok(Some(after))
}

fn through_editor(editor: &str, path: &Path, before: &str) -> Result<String, Fail> {
    let failed = |error: std::io::Error| Fail::local(format!("{}: {error}", path.display()));
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path).map_err(failed)?;
    file.write_all(format!("{before}\n").as_bytes()).map_err(failed)?;
    drop(file);
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status = std::process::Command::new(program).args(words).arg(path).status();
    match status {
        Ok(status) if status.success() => std::fs::read_to_string(path).map_err(failed),
        Ok(status) => {
            Err(Fail::local(format!("the editor `{program}` ended with {status}; nothing was changed")))
        }
        Err(error) => {
            Err(Fail::usage(format!("the editor `{program}`: {error}")).hint("set EDITOR, or give --content"))
        }
    }
}

/// Lines that went, then lines that came, around what is common at both ends.
fn diff(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let gone = old[head..old.len() - tail].iter().map(|line| format!("- {line}"));
    let came = new[head..new.len() - tail].iter().map(|line| format!("+ {line}"));
    gone.chain(came).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_lines_are_shown() {
        assert_eq!(diff("a\nb\nc", "a\nx\ny\nc"), ["- b", "+ x", "+ y"]);
        assert_eq!(diff("a", "a\na"), ["+ a"]);
        assert_eq!(diff("", "new"), ["+ new"]);
    }
}

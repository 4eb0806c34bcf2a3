//! `signet memory history`.

use clap::Args;
use signet_client::{Client, HistoryAnswer, HistoryEntry};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::{id, input, text, when};

/// Arguments of `memory history`.
#[derive(Debug, Args)]
pub(crate) struct History {
    /// Id or a prefix of it.
    id: String,
    /// Show the text before and after each change.
    #[arg(long)]
    diff: bool,
}

/// Shows what happened to a memory.
pub(crate) fn run(cx: &Cx, args: &History) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let id = id::resolve(&mut session, &args.id, id::Deleted::No).or_else(|fail| {
        if fail.exit == 4 { id::resolve(&mut session, &args.id, id::Deleted::Yes) } else { Err(fail) }
    })?;
    let answer = session.get(&Client::at("/api/memory/", &id, "/history"), &[])?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "history");
    }
    let answer: HistoryAnswer = input::read(answer)?;
    if !args.diff {
        let rows: Vec<Vec<String>> = answer.history.iter().map(cells).collect();
        return cx.out.table(&["when", "event", "by", "reason"], 3, &rows);
    }
    for entry in &answer.history {
        cx.out.line(&cells(entry).join("  "))?;
        for (sign, style, content) in
            [("-", Style::Bad, &entry.old_content), ("+", Style::Good, &entry.new_content)]
        {
            for line in text::lines(content.as_deref().unwrap_or_default()).lines() {
                cx.out.line(&cx.out.paint(style, &format!("  {sign} {line}")))?;
            }
        }
    }
    Ok(())
}

fn cells(entry: &HistoryEntry) -> Vec<String> {
    let by = entry.changed_by.clone().unwrap_or_default();
    let kind = entry.actor_type.as_deref().map(|kind| format!(" ({kind})")).unwrap_or_default();
    vec![
        entry.created_at.as_deref().map(when::local).unwrap_or_default(),
        entry.event.clone(),
        format!("{by}{kind}"),
        text::one_line(entry.reason.as_deref().unwrap_or_default()),
    ]
}

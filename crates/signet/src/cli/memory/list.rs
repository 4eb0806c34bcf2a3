//! `signet memory list`.

use clap::{Args, ValueEnum};
use signet_client::{MemoriesAnswer, MemoryRow};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::{id, input, limit, project, remember, when};

/// Arguments of `memory list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Most rows.
    #[arg(short = 'l', long, default_value_t = 50, value_parser = limit::whole, value_name = "N")]
    limit: u32,
    /// Rows to skip.
    #[arg(long, default_value_t = 0, value_parser = limit::whole, value_name = "N")]
    offset: u32,
    /// Only this type.
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only rows with all of these tags, separated by commas.
    #[arg(long, value_name = "TAGS")]
    tags: Option<String>,
    /// Only what this person or program said.
    #[arg(long, value_name = "NAME")]
    who: Option<String>,
    /// Only this project; `.` = the one you are in.
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Only pinned rows.
    #[arg(long)]
    pinned: bool,
    /// Only this source type.
    #[arg(long, value_name = "TYPE")]
    source_type: Option<String>,
    /// Stored at or after.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Stored before.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Only rows with these words.
    #[arg(long = "query", value_name = "WORDS")]
    query: Option<String>,
    /// What comes first: the newest, the last changed, or the most important.
    #[arg(long, value_enum, default_value = "created")]
    order: Order,
    /// Forgotten memories that can still be recovered.
    #[arg(long, conflicts_with = "review_due")]
    deleted: bool,
    /// Memories whose review is due, oldest first.
    #[arg(long)]
    review_due: bool,
}

/// Order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    Created,
    Updated,
    Importance,
}

impl Order {
    const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Importance => "importance",
        }
    }
}

/// Lists memories.
pub(crate) fn run(cx: &Cx, args: &List) -> Result<(), Fail> {
    let project = match &args.project {
        Some(named) => project::named(named, remember::worktrees(cx))?,
        None => String::new(),
    };
    let one = |flag: bool| if flag { "1".to_owned() } else { String::new() };
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let mut query = vec![("limit", args.limit.to_string()), ("offset", args.offset.to_string())];
    if !args.review_due {
        query.extend([
            ("type", text(&args.kind)),
            ("tags", text(&args.tags)),
            ("who", text(&args.who)),
            ("project", project),
            ("pinned", one(args.pinned)),
            ("source_type", text(&args.source_type)),
            ("since", text(&args.since)),
            ("until", text(&args.until)),
            ("q", text(&args.query)),
            ("order", args.order.word().to_owned()),
            ("deleted", one(args.deleted)),
        ]);
    }
    let path = if args.review_due { "/api/memory/review-queue" } else { "/api/memories" };
    limit::clamped(cx, args.limit, 1..=500);
    let answer = cx.session()?.get(path, &query)?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "memories");
    }
    let page: MemoriesAnswer = input::read(answer)?;
    if page.memories.is_empty() && cx.out.terminal {
        return cx.out.line("No memories.");
    }
    let ids: Vec<&str> = page.memories.iter().map(|row| row.id.as_str()).collect();
    // In a pipe the whole id; for eyes as much of it as tells the rows of this page apart.
    let length = if cx.out.terminal { id::telling_length(&ids) } else { usize::MAX };
    let rows: Vec<Vec<String>> = page.memories.iter().map(|row| cells(cx, row, length)).collect();
    cx.out.table(&["id", "created", "type", "text", "tags"], 3, &rows)?;
    if page.has_more {
        let next = args.offset as usize + page.memories.len();
        cx.out.note(&format!("There are more: --offset {next}"));
    }
    Ok(())
}

fn cells(cx: &Cx, row: &MemoryRow, length: usize) -> Vec<String> {
    let created = row.created_at.as_deref().unwrap_or_default();
    let pin =
        if row.pinned.as_i64() == Some(1) || row.pinned.as_bool() == Some(true) { "pinned " } else { "" };
    vec![
        row.id.chars().take(length).collect(),
        if cx.out.terminal { when::day(created) } else { when::local(created) },
        row.kind.clone().unwrap_or_default(),
        row.content.clone(),
        format!("{pin}{}", row.tags.clone().unwrap_or_default()),
    ]
}

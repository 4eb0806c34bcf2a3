//! `signet memory similar`.

use clap::Args;
use signet_client::SimilarAnswer;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::{id, input};

/// Arguments of `memory similar`.
#[derive(Debug, Args)]
pub(crate) struct Similar {
    /// Id or a prefix of it.
    id: String,
    /// Most results.
    #[arg(short = 'l', long, default_value_t = 10, value_name = "N")]
    limit: u32,
    /// Only this type.
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    kind: Option<String>,
}

/// Shows the nearest memories by meaning.
pub(crate) fn run(cx: &Cx, args: &Similar) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let id = id::resolve(&mut session, &args.id, id::Deleted::No)?;
    let query = [("id", id), ("k", args.limit.to_string()), ("type", args.kind.clone().unwrap_or_default())];
    let answer = session.get("/memory/similar", &query)?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "results");
    }
    let answer: SimilarAnswer = input::read(answer)?;
    let rows: Vec<Vec<String>> = answer
        .results
        .iter()
        .map(|row| {
            vec![
                format!("{:.3}", row.score),
                row.id.clone(),
                row.kind.clone().unwrap_or_default(),
                row.content.clone(),
            ]
        })
        .collect();
    if rows.is_empty() && cx.out.terminal {
        return cx.out.line("No other memory has a vector yet.");
    }
    cx.out.table(&["score", "id", "type", "text"], 3, &rows)
}

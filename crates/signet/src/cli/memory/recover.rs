//! `signet memory recover`.

use clap::Args;
use serde_json::json;
use signet_client::Client;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::id;

/// Arguments of `memory recover`.
#[derive(Debug, Args)]
pub(crate) struct Recover {
    /// Id or a prefix of it; `signet memory list --deleted` shows them.
    id: String,
    /// Why; kept in the history.
    #[arg(long, default_value = "recovered on the command line", value_name = "TEXT")]
    reason: String,
}

/// Brings a forgotten memory back.
pub(crate) fn run(cx: &Cx, args: &Recover) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let id = id::resolve(&mut session, &args.id, id::Deleted::Yes)?;
    let answer =
        session.post(&Client::at("/api/memory/", &id, "/recover"), &json!({ "reason": args.reason }))?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    cx.out.line(&format!("Recovered {id}"))
}

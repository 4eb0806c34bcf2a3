//! `signet memory recover`.

use clap::Args;
use serde_json::json;
use signet_client::Client;
use signet_model::Code;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::id;
use crate::cli::session::Session;

/// Arguments of `memory recover`.
#[derive(Debug, Args)]
pub(crate) struct Recover {
    /// Id or a prefix of it; `signet memory list --deleted` shows them.
    id: String,
    /// Why; kept in the history.
    #[arg(long, default_value = "recovered on the command line", value_name = "TEXT")]
    reason: String,
}

/// What to say when the prefix fits a memory that was never forgotten.
fn alive(session: &mut Session<'_>, typed: &str) -> Option<Fail> {
    let id = id::resolve(session, typed, id::Deleted::No).ok()?;
    Some(not_forgotten(&id))
}

fn not_forgotten(id: &str) -> Fail {
    Fail::new(Code::NotDeleted, format!("{id} is not forgotten"))
}

/// Brings a forgotten memory back.
pub(crate) fn run(cx: &Cx, args: &Recover) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let id = match id::resolve(&mut session, &args.id, id::Deleted::Yes) {
        Err(missing) if missing.exit == 4 => return Err(alive(&mut session, &args.id).unwrap_or(missing)),
        id => id?,
    };
    let path = Client::at("/api/memory/", &id, "/recover");
    let answer = match session.post(&path, &json!({ "reason": args.reason })) {
        Err(fail) if fail.text("code") == Some(Code::NotDeleted.as_str()) => return Err(not_forgotten(&id)),
        answer => answer?,
    };
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    cx.out.line(&format!("Recovered {id}"))
}

//! `signet restore`: offline; the present database is moved aside, never deleted.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use signet_store::db::{backup, restore};

use super::backup::memories;
use super::cx::{self, Cx};
use super::fail::Fail;
use super::{ask, offline, text};

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The backup: a database file made by `signet backup` or before a migration.
    file: PathBuf,
    /// Another workspace to restore into.
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// Verifies the backup, then puts it in the place of the database.
pub(crate) fn run(cx: &Cx, args: &Restore) -> Result<(), Fail> {
    let workspace = match &args.into {
        Some(into) => {
            std::path::absolute(into).map_err(|error| Fail::usage(format!("{}: {error}", into.display())))?
        }
        None => cx.workspace()?.root.clone(),
    };
    let report = backup::verify(&args.file).map_err(offline::explain)?;
    cx.out.note(&format!("The backup is sound: {}, {}.", memories(&report), text::size(report.bytes)));
    let question = format!("Put it in the place of the database in {}?", workspace.display());
    if !ask::confirm(cx, &question)? {
        return cx.out.line("Nothing was restored.");
    }
    let restored = restore::restore(&workspace, &args.file, &cx::ids()).map_err(offline::explain)?;
    let aside = restored.moved_aside.as_ref().map(|path| path.display().to_string());
    if cx.out.is_json() {
        return cx.out.json(&json!({
            "restored": restored.database.display().to_string(), "memories": report.memories, "movedAside": aside,
        }));
    }
    cx.out.line(&format!("Restored {} to {}", memories(&report), restored.database.display()))?;
    match aside {
        Some(aside) => {
            cx.out.line(&format!("The former database is {aside}\nTo go back: signet restore '{aside}'"))
        }
        None => Ok(()),
    }
}

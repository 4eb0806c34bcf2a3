//! `signet rebuild`: derived tables made anew from evidence, with the daemon stopped.

use clap::Args;
use serde_json::json;
use signet_store::rebuild::Rebuilt;
use signet_store::{OpenOptions, Store};

use super::cx::{self, Cx};
use super::fail::Fail;
use super::{offline, text};

/// Arguments of `rebuild`.
#[derive(Debug, Args)]
pub(crate) struct Rebuild {
    /// Accepted for scripts: it always works with the daemon stopped.
    #[arg(long, hide = true)]
    offline: bool,
}

/// Rebuilds.
pub(crate) fn run(cx: &Cx, _args: &Rebuild) -> Result<(), Fail> {
    let workspace = cx.workspace()?;
    if !signet_store::db::open::database(&workspace.root).exists() {
        let message = format!("there is no database in {}", workspace.root.display());
        return Err(Fail::new(signet_model::Code::NotFound, message));
    }
    let store = Store::open(&OpenOptions::new(&workspace.root, cx::ids())).map_err(offline::explain)?;
    let rebuilt =
        signet_store::rebuild::rebuild(&store.reader(), &store.writer()).map_err(offline::explain)?;
    store.close().map_err(offline::explain)?;
    report(cx, &rebuilt)
}

fn report(cx: &Cx, rebuilt: &Rebuilt) -> Result<(), Fail> {
    if cx.out.is_json() {
        let drift = rebuilt.drift.iter().map(|drift| {
            json!({ "agent": drift.agent.as_str(), "name": drift.name, "was": drift.said, "is": drift.counted })
        });
        return cx.out.json(&json!({
            "memories": rebuilt.memories,
            "queuedForVectors": rebuilt.queued,
            "orphansRemoved": rebuilt.orphans,
            "countsCorrected": drift.collect::<Vec<_>>(),
        }));
    }
    cx.out.line(&format!(
        "Remade tags, safety and text index of {}",
        text::count(rebuilt.memories, "memory", "memories")
    ))?;
    cx.out.line(&format!(
        "waiting for a vector: {}; {} removed",
        text::count(rebuilt.queued, "memory", "memories"),
        text::count(rebuilt.orphans, "orphaned vector", "orphaned vectors")
    ))?;
    for drift in &rebuilt.drift {
        cx.out.warn(&format!(
            "the count `{}` of {} was {} and is {}",
            drift.name,
            drift.agent.as_str(),
            drift.said,
            drift.counted
        ));
    }
    Ok(())
}

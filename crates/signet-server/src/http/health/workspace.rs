//! GET /api/status/workspace

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use crate::cx::{Cx, Reply};

/// The workspace folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Workspace {
    /// Folder.
    path: String,
    /// `flag`, `SIGNET_WORKSPACE`, `SIGNET_PATH` or `default`.
    source: &'static str,
    /// Version of the folder's layout.
    layout: u32,
    /// A program synchronises it with other machines.
    synced_folder: bool,
    /// It is on a file system of another machine.
    network_filesystem: bool,
    /// Copies that a synchroniser left.
    conflict_copies: Vec<String>,
    /// Free space; null where the system does not tell.
    free_bytes: Option<u64>,
}

pub(super) fn workspace(cx: &Cx) -> Result<Reply, Error> {
    let info = &cx.state.info.workspace;
    Reply::ok(&Workspace {
        path: info.report.path.display().to_string(),
        source: info.source,
        layout: 1,
        synced_folder: info.report.is_synced(),
        network_filesystem: info.report.is_on_network(),
        conflict_copies: info.report.conflict_copies.iter().map(|path| path.display().to_string()).collect(),
        free_bytes: info.report.free_bytes_now(),
    })
}

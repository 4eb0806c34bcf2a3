//! What kind of folder the workspace is: its file system, who else may touch it, how much room it has.
//!
//! A write-ahead log needs shared memory and locks that network and synced folders do not keep; there the
//! safe journal is chosen and said. Files of others are named and left alone.

mod mounts;
mod synced;

use std::path::{Path, PathBuf};

use crate::db::pragma::Journal;
use crate::{Result, StoreError, private};

/// Conflict copies that are named at most.
const NAMED_AT_MOST: usize = 100;
/// Below this much free space a warning is given.
const LOW_SPACE: u64 = 256 * 1024 * 1024;

/// State of the workspace folder at start, for status and the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceReport {
    /// The folder, absolute.
    pub path: PathBuf,
    /// The journal in use.
    pub journal: Journal,
    /// Type of its file system, such as `ext4`; `None` where the system does not tell.
    pub file_system: Option<String>,
    /// Bytes free for us; `None` where the system does not tell.
    pub free_bytes: Option<u64>,
    /// Files and folders whose rights were too wide and were tightened.
    pub tightened: Vec<PathBuf>,
    /// Copies that a sync program made of files changed on two machines; left alone.
    pub conflict_copies: Vec<PathBuf>,
    /// Sentences for the log and status; empty when all is well.
    pub warnings: Vec<String>,
}

impl WorkspaceReport {
    /// Whether the folder is on a file system of another machine.
    pub fn is_on_network(&self) -> bool {
        self.file_system.as_deref().is_some_and(mounts::is_network)
    }

    /// Whether a program synchronises the folder with other machines.
    pub fn is_synced(&self) -> bool {
        std::fs::canonicalize(&self.path).is_ok_and(|real| synced::program_of(&real).is_some())
    }

    /// Bytes free for us at this moment; `None` where the system does not tell.
    pub fn free_bytes_now(&self) -> Option<u64> {
        free_bytes(&self.path)
    }
}

/// Makes the folders that are missing, tightens what is loose, and looks at the rest.
pub(crate) fn prepare(workspace: &Path) -> Result<WorkspaceReport> {
    let mut tightened = Vec::new();
    for folder in ["", "memory", "files", ".daemon"] {
        let folder = if folder.is_empty() { workspace.to_owned() } else { workspace.join(folder) };
        if private::folder(&folder)? {
            tightened.push(folder);
        }
    }
    for name in ["memories.db", "memories.db-wal", "memories.db-shm", "memories.db-journal"] {
        let file = workspace.join("memory").join(name);
        if private::tighten(&file)? {
            tightened.push(file);
        }
    }
    Ok(WorkspaceReport { tightened, ..look(workspace)? })
}

/// Looks at the folder and changes nothing.
pub fn look(workspace: &Path) -> Result<WorkspaceReport> {
    // Links are followed, so that the folder is judged where it really is.
    let real = std::fs::canonicalize(workspace).map_err(|e| StoreError::io(workspace, e))?;
    let file_system = mounts::file_system_of(&real);
    let unsafe_place = unsafe_place(&real, file_system.as_deref());
    let conflict_copies = synced::list_conflict_copies(workspace)?;
    let free_bytes = free_bytes(&real);
    let mut warnings: Vec<String> = Vec::new();
    warnings.extend(unsafe_place.clone());
    warnings.extend(foreign_owner(&real));
    if free_bytes.is_some_and(|free| free < LOW_SPACE) {
        warnings.push("less than 256 MiB are free; writes are refused once the disk is full".to_owned());
    }
    if !conflict_copies.is_empty() {
        warnings.push(format!("{} conflict copies were left alone", conflict_copies.len()));
    }
    let journal = if unsafe_place.is_some() { Journal::Rollback } else { Journal::Wal };
    let path = workspace.to_owned();
    let tightened = Vec::new();
    Ok(WorkspaceReport { path, journal, file_system, free_bytes, tightened, conflict_copies, warnings })
}

/// Why a write-ahead log is not safe in this folder; `None` when it is.
fn unsafe_place(real: &Path, file_system: Option<&str>) -> Option<String> {
    let advice = "the slower rollback journal is used; better keep the workspace on a local folder";
    if let Some(kind) = file_system.filter(|kind| mounts::is_network(kind)) {
        return Some(format!("the workspace is on a network file system ({kind}): {advice}"));
    }
    let program = synced::program_of(real)?;
    Some(format!("the workspace is in a folder that {program} synchronises: {advice}"))
}

#[cfg(unix)]
fn free_bytes(path: &Path) -> Option<u64> {
    let space = rustix::fs::statvfs(path).ok()?;
    Some(space.f_bavail.saturating_mul(space.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_path: &Path) -> Option<u64> {
    None
}

/// A warning when the folder belongs to another user than the one that runs this.
#[cfg(target_os = "linux")]
fn foreign_owner(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = std::fs::metadata(path).ok()?.uid();
    let ours = std::fs::metadata("/proc/self").ok()?.uid();
    (owner != ours).then(|| format!("the workspace belongs to user {owner}, and this runs as user {ours}"))
}

#[cfg(not(target_os = "linux"))]
fn foreign_owner(_path: &Path) -> Option<String> {
    None
}

#[cfg(test)]
mod tests;

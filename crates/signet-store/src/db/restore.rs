//! Putting a backup in the place of the database. It is the only thing that moves the file.
//!
//! The order makes a crash harmless: once the verified copy stands beside the database under the name
//! `memories.db.restoring-{ms}`, the restore is decided, and the next start or restore carries it through.

use std::path::{Path, PathBuf};

use signet_model::Ids;

use crate::db::lock::WorkspaceLock;
use crate::db::open::database;
use crate::db::{backup, beside};
use crate::{Result, StoreError, private};

/// The files of a database: itself, its write-ahead log, its shared memory and its rollback journal.
const PARTS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Where everything is after a restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The database, now with the content of the backup.
    pub database: PathBuf,
    /// The database as it was before, with its log; `None` when there was none.
    pub moved_aside: Option<PathBuf>,
}

/// Verifies `file` and puts it in the place of the workspace's database, which is moved aside.
///
/// Offline: takes the workspace's lock. Errors: [`StoreError::Locked`]; those of [`backup::verify`], with
/// the workspace unchanged; the failure of the disk.
pub fn restore(workspace: &Path, file: &Path, ids: &Ids) -> Result<Restored> {
    private::folder(workspace)?;
    let _lock = WorkspaceLock::take(workspace, &ids.now().to_string())?;
    backup::verify(file)?;
    let database = database(workspace);
    private::folder(&workspace.join("memory"))?;
    finish(&database)?;
    let millis = ids.now().millis();
    let partial = beside(&database, ".restoring");
    backup::copy(file, &partial)?;
    backup::verify(&partial)?;
    backup::place(&partial, &beside(&database, &format!(".restoring-{millis}")))?;
    let moved_aside = finish(&database)?;
    Ok(Restored { database, moved_aside })
}

/// Carries a decided restore through. Returns where the former database is now, when one was moved.
pub(crate) fn finish(database: &Path) -> Result<Option<PathBuf>> {
    let Some((decided, millis)) = find_decided(database)? else { return Ok(None) };
    let aside = beside(database, &format!(".damaged-{millis}"));
    // The old log has to be gone before the backup gets the name it belongs to.
    for part in PARTS {
        let (from, to) = (beside(database, part), beside(&aside, part));
        if from.exists() && !to.exists() {
            std::fs::rename(&from, &to).map_err(|e| StoreError::io(&from, e))?;
        }
    }
    if let Some(folder) = database.parent() {
        private::sync_folder(folder)?;
    }
    backup::place(&decided, database)?;
    Ok(aside.exists().then_some(aside))
}

fn find_decided(database: &Path) -> Result<Option<(PathBuf, i64)>> {
    let Some(folder) = database.parent() else { return Ok(None) };
    let prefix = beside(database, ".restoring-").to_string_lossy().into_owned();
    for entry in std::fs::read_dir(folder).map_err(|e| StoreError::io(folder, e))? {
        let path = entry.map_err(|e| StoreError::io(folder, e))?.path();
        let millis = path.to_string_lossy().strip_prefix(&prefix).and_then(|text| text.parse().ok());
        if let Some(millis) = millis {
            return Ok(Some((path, millis)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;

//! Which backups still hold a memory. They are listed in the receipt, never edited.

use std::path::{Path, PathBuf};

use rusqlite::params;
use signet_model::{AgentId, MemoryId};

use crate::Result;
use crate::db::pragma;

/// Names of the files below `folders` (not deeper) that are databases with a row or a cold copy of the
/// memory. A file that does not open as one is none. Run it on a thread that may wait for the disk.
pub fn backups_holding(folders: &[PathBuf], agent: &AgentId, id: &MemoryId) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_file() && !is_live(&path) && holds(&path, agent, id).unwrap_or(false) {
                found.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
            }
        }
    }
    found.sort();
    found
}

/// The database itself and its companions are no backups.
fn is_live(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name == "memories.db" || name.ends_with("-wal") || name.ends_with("-shm")
}

fn holds(path: &Path, agent: &AgentId, id: &MemoryId) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM memories WHERE agent_id = ?1 AND id = ?2
        UNION ALL SELECT 1 FROM memories_cold WHERE agent_id = ?1 AND memory_id = ?2 LIMIT 1";
    let connection = pragma::readonly(path)?;
    let mut statement = connection.prepare(SQL)?;
    Ok(statement.exists(params![agent.as_str(), id.as_str()])?)
}

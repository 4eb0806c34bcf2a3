//! The lock that keeps a second process from writing the file (INV-13).
//!
//! It is a lock of the operating system on `.daemon/daemon.lock`, which ends with the process however it
//! ends. The text inside only says who holds it; a stale text is no lock.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Result, StoreError, private};

/// Who holds the lock, as far as its file says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// Process id.
    pub pid: Option<u32>,
    /// Where it listens; `None` for an offline command and until the address is known.
    pub url: Option<String>,
    /// Since when, RFC 3339.
    pub started_at: Option<String>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.pid {
            Some(pid) => write!(f, "process {pid}")?,
            None => f.write_str("a process that is just starting")?,
        }
        if let Some(url) = &self.url {
            write!(f, " at {url}")?;
        }
        if let Some(since) = &self.started_at {
            write!(f, ", since {since}")?;
        }
        Ok(())
    }
}

/// The lock of a workspace; it is given back when this is dropped.
#[derive(Debug)]
pub struct WorkspaceLock {
    file: File,
    path: PathBuf,
    holder: Holder,
}

impl WorkspaceLock {
    /// Takes the lock. [`StoreError::Locked`] names the holder when somebody else has it.
    ///
    /// A file system that knows no locks is an error: without one, two writers could meet.
    pub fn take(workspace: &Path, started_at: &str) -> Result<Self> {
        let folder = workspace.join(".daemon");
        private::folder(&folder)?;
        let path = folder.join("daemon.lock");
        let file = private::file(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(read(&file))),
            Err(TryLockError::Error(error)) => return Err(StoreError::io(&path, error)),
        }
        let holder =
            Holder { pid: Some(std::process::id()), url: None, started_at: Some(started_at.to_owned()) };
        let lock = Self { file, path, holder };
        lock.write()?;
        Ok(lock)
    }

    /// Writes the address into the file, for whoever meets the lock.
    pub fn announce(&mut self, url: &str) -> Result<()> {
        self.holder.url = Some(url.to_owned());
        self.write()
    }

    fn write(&self) -> Result<()> {
        let text = serde_json::to_vec(&self.holder).unwrap_or_default();
        let mut file = &self.file;
        file.rewind()
            .and_then(|()| file.write_all(&text))
            .and_then(|()| file.set_len(text.len() as u64))
            .map_err(|e| StoreError::io(&self.path, e))
    }
}

/// What the file says; nothing when it cannot be read yet.
fn read(mut file: &File) -> Holder {
    let mut text = String::new();
    if file.read_to_string(&mut text).is_err() {
        return Holder::default();
    }
    serde_json::from_str(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINCE: &str = "2026-03-04T14:25:00.000Z";

    #[test]
    fn a_held_lock_names_its_holder_and_comes_free_with_it() {
        let workspace = tempfile::tempdir().unwrap();
        let mut first = WorkspaceLock::take(workspace.path(), SINCE).unwrap();
        first.announce("http://127.0.0.1:3850").unwrap();
        let Err(StoreError::Locked(holder)) = WorkspaceLock::take(workspace.path(), SINCE) else {
            panic!("a second lock was granted");
        };
        let pid = std::process::id();
        assert_eq!(
            holder.to_string(),
            format!("process {pid} at http://127.0.0.1:3850, since 2026-03-04T14:25:00.000Z")
        );
        drop(first);
        WorkspaceLock::take(workspace.path(), SINCE).unwrap();
    }

    #[test]
    fn a_stale_text_is_no_lock() {
        let workspace = tempfile::tempdir().unwrap();
        let file = workspace.path().join(".daemon/daemon.lock");
        for stale in [
            "{\"pid\":1,\"url\":\"http://127.0.0.1:3850\"}",
            "1",
            "no json, and longer than what replaces it".repeat(9).as_str(),
        ] {
            private::folder(file.parent().unwrap()).unwrap();
            std::fs::write(&file, stale).unwrap();
            let lock = WorkspaceLock::take(workspace.path(), SINCE).unwrap();
            assert_eq!(read(&File::open(&file).unwrap()), lock.holder);
        }
    }
}

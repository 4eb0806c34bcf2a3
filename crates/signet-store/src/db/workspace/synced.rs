//! Folders that a program synchronises with other machines, and the copies such programs leave behind.

use std::path::{Path, PathBuf};

use super::NAMED_AT_MOST;
use crate::{Result, StoreError};

/// Beginnings of folder names that a program gives to the folder it synchronises, in lower case.
const FOLDERS: [(&str, &str); 12] = [
    ("dropbox", "Dropbox"),
    ("onedrive", "OneDrive"),
    ("icloud drive", "iCloud"),
    ("iclouddrive", "iCloud"),
    ("mobile documents", "iCloud"),
    ("com~apple~clouddocs", "iCloud"),
    ("google drive", "Google Drive"),
    ("googledrive", "Google Drive"),
    ("nextcloud", "Nextcloud"),
    ("owncloud", "ownCloud"),
    ("syncthing", "Syncthing"),
    ("cloudstorage", "a cloud drive"),
];
/// What such a program leaves in the folder it synchronises.
const MARKERS: [(&str, &str); 7] = [
    (".stfolder", "Syncthing"),
    (".stignore", "Syncthing"),
    (".dropbox", "Dropbox"),
    (".dropbox.cache", "Dropbox"),
    (".owncloudsync.log", "ownCloud"),
    (".sync_journal.db", "Nextcloud"),
    (".tmp.drivedownload", "Google Drive"),
];

/// The program that synchronises `path` (absolute, without links) or a folder above it.
pub(super) fn program_of(path: &Path) -> Option<&'static str> {
    path.ancestors().find_map(|folder| by_name(folder).or_else(|| by_marker(folder)))
}

fn by_name(folder: &Path) -> Option<&'static str> {
    let name = folder.file_name()?.to_string_lossy().to_lowercase();
    let fits = |start: &str| {
        // "OneDrive - Company" and "Dropbox (Personal)", but not "dropbox-clone".
        name.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    FOLDERS.iter().find(|(start, _)| fits(start)).map(|(_, program)| *program)
}

fn by_marker(folder: &Path) -> Option<&'static str> {
    // Dropbox keeps a `.dropbox` folder of settings in the home directory; its mark is a file.
    let marks = |name: &str| match name {
        ".dropbox" => folder.join(name).is_file(),
        _ => folder.join(name).exists(),
    };
    MARKERS.iter().find(|(name, _)| marks(name)).map(|(_, program)| *program)
}

/// Conflict copies in the workspace folder and in `memory/`, at most [`NAMED_AT_MOST`], sorted.
pub(super) fn list_conflict_copies(workspace: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in [workspace.to_owned(), workspace.join("memory")] {
        for entry in std::fs::read_dir(&folder).map_err(|e| StoreError::io(&folder, e))? {
            let entry = entry.map_err(|e| StoreError::io(&folder, e))?;
            if is_conflict_copy(&entry.file_name().to_string_lossy()) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found.truncate(NAMED_AT_MOST);
    Ok(found)
}

fn is_conflict_copy(name: &str) -> bool {
    name.contains(".sync-conflict") || name.contains("conflicted copy") || is_numbered_copy(name)
}

/// `name (1).ext`, with any number.
fn is_numbered_copy(name: &str) -> bool {
    name.match_indices(" (").any(|(at, _)| {
        let inside = &name[at + 2..];
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && inside[digits..].starts_with(").")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflict_copies_are_told_from_ordinary_names() {
        for copy in [
            "memories.sync-conflict-20260304-142500-ABCDEFG.db",
            "memories (1).db",
            "MEMORY (12).md",
            "memories (Ana's conflicted copy 2026-03-04).db",
        ] {
            assert!(is_conflict_copy(copy), "{copy}");
        }
        for ordinary in ["memories.db", "notes (draft).md", "a (1)", "memories.db-wal", "x(1).md"] {
            assert!(!is_conflict_copy(ordinary), "{ordinary}");
        }
    }

    #[test]
    fn synced_folders_are_known_by_their_name_or_their_marker() {
        let root = tempfile::tempdir().unwrap();
        let marked = root.path().join("plain/agents");
        std::fs::create_dir_all(&marked).unwrap();
        assert_eq!(program_of(&marked), None);
        std::fs::create_dir(root.path().join("plain/.stfolder")).unwrap();
        assert_eq!(program_of(&marked), Some("Syncthing"));
        assert_eq!(program_of(Path::new("/home/ana/OneDrive - Firm/agents")), Some("OneDrive"));
        assert_eq!(program_of(Path::new("/Users/ana/Library/Mobile Documents/x")), Some("iCloud"));
        assert_eq!(program_of(Path::new("/srv/dropbox-clone/agents")), None);
    }

    #[test]
    fn the_settings_folder_of_dropbox_marks_nothing() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".dropbox")).unwrap();
        assert_eq!(program_of(home.path()), None);
        let synced = tempfile::tempdir().unwrap();
        std::fs::write(synced.path().join(".dropbox"), "").unwrap();
        assert_eq!(program_of(synced.path()), Some("Dropbox"));
    }
}

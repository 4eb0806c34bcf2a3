//! The file of refused calls: JSON lines, private, rotated by size.

use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{Result, StoreError, private};

/// Size at which the file is rotated.
pub const ROTATE_AT: u64 = 10 * 1024 * 1024;
/// Files kept beside the current one.
pub const KEPT: usize = 5;

/// Path of the current file of a workspace.
pub fn path(workspace: &Path) -> PathBuf {
    workspace.join(".daemon").join("logs").join("audit.ndjson")
}

/// Appends whole lines, rotating first when the file would pass `rotate_at` bytes. At most
/// `KEPT` older files stay, so the folder stays under `(KEPT + 1) * rotate_at`.
pub fn append(path: &Path, lines: &[String], rotate_at: u64) -> Result<()> {
    if let Some(folder) = path.parent() {
        private::folder(folder)?;
    }
    let write = || -> std::io::Result<()> {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let size = std::fs::metadata(path).map_or(0, |meta| meta.len());
        if size > 0 && size + text.len() as u64 > rotate_at {
            rotate(path)?;
        }
        let mut file = private::file(path).map_err(std::io::Error::other)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(text.as_bytes())
    };
    write().map_err(|source| StoreError::io(path, source))
}

fn rotate(path: &Path) -> std::io::Result<()> {
    let numbered = |n: usize| path.with_extension(format!("ndjson.{n}"));
    for n in (1..KEPT).rev() {
        if numbered(n).exists() {
            std::fs::rename(numbered(n), numbered(n + 1))?;
        }
    }
    std::fs::rename(path, numbered(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_appended_and_the_folder_stays_under_its_cap() {
        let folder = tempfile::tempdir().expect("folder");
        let file = path(folder.path());
        append(&file, &["a".to_owned(), "b".to_owned()], 100).expect("written");
        assert_eq!(std::fs::read_to_string(&file).expect("read"), "a\nb\n");
        for n in 0..200 {
            append(&file, &[format!("{n:09}")], 100).expect("written");
        }
        let sizes: Vec<u64> = std::fs::read_dir(file.parent().expect("folder"))
            .expect("listed")
            .map(|entry| entry.expect("entry").metadata().expect("size").len())
            .collect();
        assert_eq!(sizes.len(), KEPT + 1);
        assert!(sizes.iter().all(|size| *size <= 100), "{sizes:?}");
        assert!(std::fs::read_to_string(&file).expect("read").ends_with("000000199\n"));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        append(&path(folder.path()), &["a".to_owned()], 100).expect("written");
        let mode = std::fs::metadata(path(folder.path())).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

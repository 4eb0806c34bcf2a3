//! The workspace folder: rights, room, what kind of place it is.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use signet_store::db::workspace;
use signet_store::private;

use super::{Finding, Level};

/// Entries looked at; more than a workspace of a person has outside its stores.
const MOST: usize = 20_000;
/// Folders whose content is not ours to judge.
const FOREIGN: [&str; 2] = [".git", "node_modules"];

/// Looks at the folder; `fix` tightens rights.
pub(super) fn look(root: &Path, fix: bool) -> Vec<Finding> {
    if !root.is_dir() {
        let message = format!("there is no workspace at {}", root.display());
        return vec![Finding::new(Level::Error, "no_workspace", message).fix("signet setup")];
    }
    let mut findings = rights(root, fix);
    match workspace::look(root) {
        Ok(report) => {
            findings.extend(
                report.warnings.iter().map(|warning| Finding::new(Level::Warn, "workspace", warning)),
            );
            findings.extend(report.conflict_copies.iter().map(|copy| {
                Finding::new(
                    Level::Warn,
                    "conflict_copy",
                    format!("a sync program left a conflict copy: {}", copy.display()),
                )
                .fix("compare it with the original, then remove it yourself; Signet never touches it")
            }));
            if let (true, Some(free)) = (report.warnings.is_empty(), report.free_bytes) {
                let message = format!("{} GiB free on a local folder", free / 1_073_741_824);
                findings.push(Finding::new(Level::Info, "workspace", message));
            }
        }
        Err(error) => findings.push(Finding::new(Level::Error, "workspace", error.to_string())),
    }
    findings
}

fn rights(root: &Path, fix: bool) -> Vec<Finding> {
    let loose = loose(root);
    if loose.is_empty() {
        return vec![Finding::new(Level::Info, "rights", "files and folders are readable by you alone")];
    }
    let mut findings = Vec::new();
    for path in loose {
        if fix && private::tighten(&path).is_ok() {
            findings.push(Finding::new(Level::Info, "rights", format!("tightened {}", path.display())));
        } else {
            let message = format!("others may read or change {}", path.display());
            findings.push(Finding::new(Level::Warn, "rights", message).fix("signet doctor --fix"));
        }
    }
    findings
}

/// Files and folders with rights for group or others.
fn loose(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        seen += 1;
        let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
        if metadata.is_symlink() || seen > MOST {
            continue;
        }
        if metadata.permissions().mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        let ours =
            path.file_name().and_then(|name| name.to_str()).is_none_or(|name| !FOREIGN.contains(&name));
        if metadata.is_dir() && ours {
            waiting
                .extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_workspace_and_loose_files_are_found_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let missing = look(&folder.path().join("none"), false);
        assert_eq!((missing.len(), missing[0].code), (1, "no_workspace"));
        let root = folder.path().join("workspace");
        private::folder(&root).unwrap();
        let file = root.join("note.md");
        std::fs::write(&file, "x").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join("link")).unwrap();
        assert_eq!(loose(&root), [file]);
        assert!(rights(&root, true).iter().all(|finding| finding.level == Level::Info));
        assert_eq!(loose(&root), Vec::<PathBuf>::new());
    }
}

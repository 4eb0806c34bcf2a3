//! Commands that work without the daemon: they take its lock, so they and a daemon never meet.

use std::io::ErrorKind;

use signet_model::Code;
use signet_store::StoreError;

use super::fail::Fail;

const FREE_SPACE: &str = "free space, then try again; nothing that was stored is lost";
const WRITABLE: &str = "make it writable, or choose another folder with --workspace";

/// A failure of the store. A workspace that is in use: exit 5, naming the holder.
pub(crate) fn explain(error: StoreError) -> Fail {
    match error {
        StoreError::Locked(holder) => {
            Fail::with_exit(5, "workspace_in_use", format!("the workspace is in use by {holder}"))
                .hint("signet daemon stop")
        }
        StoreError::Unusable { path, reason, hint } => {
            Fail::with_exit(1, "unusable_database", format!("{path}: {reason}")).hint(hint)
        }
        StoreError::Io { path, source } => of_file(&path, &source),
        other => Fail::from(signet_model::Error::from(other)),
    }
}

/// A failure of the file system: what, where, and what to do. Who runs the program owns the machine, so
/// nothing is kept back.
fn of_file(path: &str, source: &std::io::Error) -> Fail {
    let says = |what: &str| format!("{path}: {what}");
    match source.kind() {
        ErrorKind::StorageFull => Fail::new(Code::DiskFull, says("the disk is full")).hint(FREE_SPACE),
        ErrorKind::ReadOnlyFilesystem => {
            Fail::new(Code::StorageUnavailable, says("the file system is read-only")).hint(WRITABLE)
        }
        ErrorKind::PermissionDenied => Fail::usage(says("permission denied"))
            .hint("give the folder to the user that runs signet, or choose another with --workspace"),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            Fail::usage(says("a file is in the place of a folder"))
                .hint("move the file away, or choose another folder with --workspace")
        }
        ErrorKind::IsADirectory => {
            Fail::usage(says("a folder is in the place of a file")).hint("move the folder away")
        }
        _ => Fail::usage(says(&source.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_disk_is_told_with_place_and_remedy() {
        for (kind, exit, what) in [
            (ErrorKind::StorageFull, 7, "/w/x: the disk is full"),
            (ErrorKind::ReadOnlyFilesystem, 7, "/w/x: the file system is read-only"),
            (ErrorKind::PermissionDenied, 2, "/w/x: permission denied"),
            (ErrorKind::NotADirectory, 2, "/w/x: a file is in the place of a folder"),
            (ErrorKind::IsADirectory, 2, "/w/x: a folder is in the place of a file"),
        ] {
            let fail = explain(StoreError::io(std::path::Path::new("/w/x"), kind.into()));
            assert_eq!((fail.exit, fail.text("error")), (exit, Some(what)));
            assert!(fail.text("hint").is_some(), "{what}");
        }
    }
}

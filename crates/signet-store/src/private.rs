//! Files and folders that only their owner may read: 0600 and 0700, whatever the umask.
//!
//! The mode is set on the call that creates, so that there is no moment in which others can read.
//! Where the system has no such modes (Windows), the profile folder's own rights apply.

use std::fs::{File, OpenOptions};
use std::path::Path;

use crate::{Result, StoreError};

/// Makes a folder and its missing parents; a folder that exists is tightened. True when it was loose.
pub fn folder(path: &Path) -> Result<bool> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|e| StoreError::io(path, e))?;
    tighten(path)
}

/// Opens a file for reading and writing, and makes it when it is missing.
pub fn file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(|e| StoreError::io(path, e))?;
    tighten(path)?;
    Ok(file)
}

/// Takes the rights of group and others away, and gives the owner theirs. True when something changed.
///
/// A path that does not exist is no error: there is nothing to tighten.
#[cfg(unix)]
pub fn tighten(path: &Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(StoreError::io(path, error)),
    };
    let wanted = if metadata.is_dir() { 0o700 } else { 0o600 };
    if metadata.permissions().mode() & 0o777 == wanted {
        return Ok(false);
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(wanted))
        .map_err(|e| StoreError::io(path, e))?;
    Ok(true)
}

/// There is nothing to tighten on this system.
#[cfg(not(unix))]
pub fn tighten(_path: &Path) -> Result<bool> {
    Ok(false)
}

/// Makes renames and new names in a folder survive a power cut.
pub fn sync_folder(path: &Path) -> Result<()> {
    // Windows refuses to open a folder as a file and keeps its directory entries without it.
    if cfg!(unix) {
        File::open(path).and_then(|folder| folder.sync_all()).map_err(|e| StoreError::io(path, e))?;
    }
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_private_and_what_is_loose_is_tightened() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a b/ü 名");
        assert!(!folder(&inner).unwrap());
        let name = inner.join("secret");
        file(&name).unwrap();
        assert_eq!((mode(&inner), mode(&name)), (0o700, 0o600));

        std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o664)).unwrap();
        std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(folder(&inner).unwrap());
        assert!(tighten(&name).unwrap());
        assert_eq!((mode(&inner), mode(&name)), (0o700, 0o600));
        assert!(!tighten(&inner.join("missing")).unwrap());
    }

    #[test]
    fn a_file_keeps_its_content_when_it_is_opened_again() {
        let root = tempfile::tempdir().unwrap();
        let name = root.path().join("kept");
        std::fs::write(&name, "text").unwrap();
        file(&name).unwrap();
        assert_eq!(std::fs::read_to_string(&name).unwrap(), "text");
    }
}

//! The signing secret: 32 bytes in `.daemon/auth-secret`, readable by its owner only.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::{Result, StoreError, private};

/// Length of the secret in bytes.
pub const LEN: usize = 32;

/// How the file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It was not there and is made.
    Made,
    /// It was there, for its owner only.
    Private,
    /// Others could read it until now.
    Tightened,
}

/// Path of the secret of a workspace.
pub fn path(workspace: &Path) -> PathBuf {
    workspace.join(".daemon").join("auth-secret")
}

/// Reads the secret, or makes it from `random` when there is none. The caller holds the daemon lock.
///
/// Errors: a file of another length, one that cannot be read, or one whose permissions are too wide and
/// cannot be changed because somebody else owns it.
pub fn load_or_make(workspace: &Path, random: &dyn Fn(&mut [u8])) -> Result<([u8; LEN], Found)> {
    let path = path(workspace);
    match File::open(&path) {
        Ok(file) => {
            let found = if private::tighten(&path)? { Found::Tightened } else { Found::Private };
            Ok((read(file, &path)?, found))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((make(&path, random)?, Found::Made)),
        Err(error) => Err(StoreError::io(&path, error)),
    }
}

/// Reads the secret without making one; `None` = there is none.
pub fn find(workspace: &Path) -> Result<Option<[u8; LEN]>> {
    let path = path(workspace);
    match File::open(&path) {
        Ok(file) => read(file, &path).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(&path, error)),
    }
}

/// Puts a new secret in place of the old one, which ends every token at the next start of the daemon.
pub fn rotate(workspace: &Path, random: &dyn Fn(&mut [u8])) -> Result<[u8; LEN]> {
    make(&path(workspace), random)
}

fn read(file: File, path: &Path) -> Result<[u8; LEN]> {
    let mut bytes = Vec::with_capacity(LEN + 1);
    file.take(LEN as u64 + 1).read_to_end(&mut bytes).map_err(|source| StoreError::io(path, source))?;
    bytes.try_into().map_err(|_| {
        let text = "is not a secret of 32 bytes; move it away and a new one is made (all tokens end)";
        StoreError::io(path, std::io::Error::new(std::io::ErrorKind::InvalidData, text))
    })
}

fn make(path: &Path, random: &dyn Fn(&mut [u8])) -> Result<[u8; LEN]> {
    let mut secret = [0_u8; LEN];
    random(&mut secret);
    let fresh = path.with_extension("new");
    if let Some(folder) = path.parent() {
        private::folder(folder)?;
    }
    let write = || -> std::io::Result<()> {
        drop(std::fs::remove_file(&fresh));
        let mut file = private::file(&fresh).map_err(std::io::Error::other)?;
        file.write_all(&secret)?;
        file.sync_all()?;
        std::fs::rename(&fresh, path)
    };
    write().map_err(|source| StoreError::io(path, source))?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ones(bytes: &mut [u8]) {
        bytes.fill(1);
    }

    fn twos(bytes: &mut [u8]) {
        bytes.fill(2);
    }

    #[test]
    fn the_secret_is_made_once_and_changes_only_by_rotation() {
        let folder = tempfile::tempdir().expect("folder");
        assert_eq!(find(folder.path()).expect("no file is no error"), None);
        assert_eq!(load_or_make(folder.path(), &ones).expect("made"), ([1; LEN], Found::Made));
        assert_eq!(load_or_make(folder.path(), &twos).expect("kept"), ([1; LEN], Found::Private));
        assert_eq!(rotate(folder.path(), &twos).expect("rotated"), [2; LEN]);
        assert_eq!(find(folder.path()).expect("read"), Some([2; LEN]));
    }

    #[test]
    fn a_file_of_another_length_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("folder");
        load_or_make(folder.path(), &ones).expect("made");
        std::fs::write(path(folder.path()), b"short").expect("broken");
        let text = load_or_make(folder.path(), &ones).expect_err("too short").to_string();
        assert!(text.contains("auth-secret") && text.contains("32 bytes"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_for_its_owner_and_a_wider_one_is_tightened() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        load_or_make(folder.path(), &ones).expect("made");
        let mode = || std::fs::metadata(path(folder.path())).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(path(folder.path()), std::fs::Permissions::from_mode(0o644)).expect("wider");
        assert_eq!(load_or_make(folder.path(), &ones).expect("read").1, Found::Tightened);
        assert_eq!(mode(), 0o600);
    }
}

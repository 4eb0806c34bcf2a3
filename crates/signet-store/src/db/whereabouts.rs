//! Whether the name of the database still leads to the file that is open. A folder that is removed or moved
//! under a running daemon leaves a file without a name, and what is written to it is gone with the process.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use signet_model::{Code, Error};

/// Device and number of a file.
type Identity = (u64, u64);

/// The file that a connection has open, by name and by identity.
#[derive(Debug)]
pub(crate) struct Whereabouts {
    path: PathBuf,
    /// `None` where the system does not tell: nothing is known then, and nothing is refused.
    opened: Option<Identity>,
}

impl Whereabouts {
    /// Of a connection that was just opened by its path.
    pub(crate) fn of(connection: &Connection) -> Self {
        let path = PathBuf::from(connection.path().unwrap_or_default());
        let opened = identity(&path).ok().flatten();
        Self { path, opened }
    }

    /// The refusal of a commit that nobody would find again; one look at the name, no more.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Some(opened) = self.opened else { return Ok(()) };
        match identity(&self.path) {
            Ok(Some(now)) if now != opened => Err(self.refusal()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(self.refusal()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn refusal(&self) -> Error {
        let message = format!(
            "the database was moved or removed under the daemon: {} is not the open file; nothing was stored",
            self.path.display()
        );
        let process = std::process::id();
        Error::new(Code::StorageUnavailable, message)
            .hint(format!("put it back, or end process {process} and start the daemon again"))
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> std::io::Result<Option<Identity>> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).map(|metadata| Some((metadata.dev(), metadata.ino())))
}

/// An open file cannot be removed on this system.
#[cfg(not(unix))]
fn identity(_path: &Path) -> std::io::Result<Option<Identity>> {
    Ok(None)
}

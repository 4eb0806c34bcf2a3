//! Connections: one writer thread with group commit, a pool of readers that cannot write.

pub mod backup;
pub mod damage;
mod idle;
mod inspect;
mod lanes;
mod ledger;
pub mod lifecycle;
pub mod lock;
pub mod migrate;
pub mod open;
pub mod pragma;
pub mod reader;
pub mod restore;
mod schema;
mod space;
pub mod tx;
mod whereabouts;
pub mod workspace;
pub mod writer;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The path with `suffix` added to its file name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Lower-case hexadecimal SHA-256.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

//! Which file system a folder is on, by Linux's table of mounts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// File systems that reach other machines, or a host's folders from inside a virtual machine.
const NETWORK: [&str; 24] = [
    "9p",
    "acfs",
    "afp",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "drvfs",
    "gfs2",
    "glusterfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "prl_fs",
    "smb2",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
    "webdav",
];
/// `fuse.` file systems that are local all the same.
const LOCAL_FUSE: [&str; 7] =
    ["bindfs", "encfs", "fuse-overlayfs", "gocryptfs", "mergerfs", "ntfs-3g", "cryfs"];

/// Type of the file system that holds `path` (absolute, without links); `None` where no table exists.
pub(super) fn file_system_of(path: &Path) -> Option<String> {
    let table = std::fs::read("/proc/self/mountinfo").ok()?;
    find(&table, path)
}

/// Whether locks and shared memory cannot be relied on there.
pub(super) fn is_network(file_system: &str) -> bool {
    match file_system.strip_prefix("fuse.") {
        Some(kind) => !LOCAL_FUSE.contains(&kind),
        None => NETWORK.contains(&file_system),
    }
}

/// The mount with the longest path above `path`; of equal ones the last, which covers the others.
fn find(table: &[u8], path: &Path) -> Option<String> {
    table
        .split(|byte| *byte == b'\n')
        .filter_map(parse)
        .filter(|(point, _)| path.starts_with(point))
        .max_by_key(|(point, _)| point.components().count())
        .map(|(_, kind)| kind)
}

/// Mount point and type of one line: `36 35 98:0 /root /point options [fields] - type source options`.
fn parse(line: &[u8]) -> Option<(PathBuf, String)> {
    let mut fields = line.split(|byte| *byte == b' ');
    let point = unescape(fields.nth(4)?);
    let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
    Some((path_of(point), String::from_utf8_lossy(kind).into_owned()))
}

/// Spaces, tabs, line breaks and backslashes are written as `\` and three octal digits.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, tail)) = rest.split_first() {
        let octal = (byte == b'\\').then(|| tail.get(..3)).flatten();
        let value = octal.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        plain.push(value.unwrap_or(byte));
        rest = if value.is_some() { &tail[3..] } else { tail };
    }
    plain
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    OsString::from(String::from_utf8_lossy(&bytes).into_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = b"\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 27 0:31 / /home/ana/team\\040share rw,relatime shared:5 master:1 - nfs4 nas:/team rw
41 27 0:32 / /home/ana/over rw - ext4 /dev/vdb rw
42 41 0:33 / /home/ana/over rw - fuse.sshfs host: rw
broken line
";

    fn kind(path: &str) -> Option<String> {
        find(TABLE, Path::new(path))
    }

    #[test]
    fn the_innermost_and_last_mount_counts() {
        assert_eq!(kind("/home/ana/.agents").as_deref(), Some("ext4"));
        assert_eq!(kind("/home/ana/team share/agents").as_deref(), Some("nfs4"));
        assert_eq!(kind("/home/ana/team share-2").as_deref(), Some("ext4"));
        assert_eq!(kind("/home/ana/over/x").as_deref(), Some("fuse.sshfs"));
        assert_eq!(find(b"", Path::new("/x")), None);
    }

    #[test]
    fn network_kinds_are_told_from_local_ones() {
        for network in ["nfs4", "cifs", "9p", "fuse.sshfs", "fuse.rclone", "virtiofs"] {
            assert!(is_network(network), "{network}");
        }
        for local in ["ext4", "btrfs", "tmpfs", "overlay", "xfs", "fuse.gocryptfs", "apfs"] {
            assert!(!is_network(local), "{local}");
        }
    }
}

//! Who holds a workspace, as its lock file says. Reading takes no lock, so it never disturbs a start.

use std::path::Path;

use signet_store::db::lock::Holder;

/// What the lock file says; `None` when there is none or it does not read. A dead daemon's text may remain,
/// so the holder is only believed when its address answers.
pub(crate) fn read(workspace: &Path) -> Option<Holder> {
    let text = std::fs::read_to_string(workspace.join(".daemon").join("daemon.lock")).ok()?;
    serde_json::from_str(&text).ok()
}

/// Whether a process of that number lives.
pub(crate) fn lives(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        Err(error) => error == rustix::io::Errno::PERM,
    }
}

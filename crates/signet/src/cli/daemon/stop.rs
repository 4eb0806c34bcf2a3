//! `signet daemon stop`: soft, then hard; hooks and commands do not start it again by themselves.

use std::time::{Duration, Instant};

use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::cli::cx::{self, Cx};
use crate::cli::fail::Fail;
use crate::cli::{duration, offline, session};
use crate::holder;
use signet_store::db::lock::{Holder, WorkspaceLock};
use signet_store::{StoreError, private};

/// Pause between two looks at a stopping daemon.
const POLL: Duration = Duration::from_millis(15);
/// How long a process may take to end after it was killed.
const AFTER_KILL: Duration = Duration::from_secs(5);

/// Arguments of `daemon stop`.
#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// Do not let running requests end.
    #[arg(long)]
    pub(crate) force: bool,
    /// Longest wait for running requests; then it is killed. Nothing acknowledged is lost either way.
    #[arg(long, value_parser = duration, default_value = "12s", value_name = "DURATION")]
    pub(crate) wait: Duration,
}

/// Stops the daemon.
pub(crate) fn run(cx: &Cx, args: &Stop) -> Result<(), Fail> {
    let stopped = stop(cx, args)?;
    mark_stopped(cx)?;
    if cx.out.is_json() {
        return cx.out.json(&json!({ "running": false, "stopped": stopped.is_some(), "pid": stopped }));
    }
    match stopped {
        Some(pid) => cx.out.line(&format!("○ signet stopped (process {pid})")),
        None => cx.out.line("○ signet was not running"),
    }
}

/// Stops it without the marker. `None` = it was not running.
pub(crate) fn stop(cx: &Cx, args: &Stop) -> Result<Option<u32>, Fail> {
    let Some(pid) = running(cx)? else { return Ok(None) };
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let process = process.ok_or_else(|| Fail::local(format!("process {pid} is no process number")))?;
    let signal = |signal| {
        kill_process(process, signal)
            .or_else(|error| if error == rustix::io::Errno::SRCH { Ok(()) } else { Err(error) })
    };
    let failed =
        |error| Fail::with_exit(3, "permission_denied", format!("process {pid} cannot be stopped: {error}"));
    if args.force {
        signal(Signal::KILL).map_err(failed)?;
    } else {
        signal(Signal::TERM).map_err(failed)?;
        if !gone(cx, pid, args.wait)? {
            cx.out.warn(&format!("process {pid} did not end in time; it is killed"));
            signal(Signal::KILL).map_err(failed)?;
        }
    }
    if gone(cx, pid, AFTER_KILL)? {
        return Ok(Some(pid));
    }
    Err(Fail::with_exit(7, "daemon_not_answering", format!("process {pid} does not end")))
}

/// The process that really holds the workspace. Taking the lock is the only proof: the text of a dead
/// daemon may name a number that another program has by now.
fn running(cx: &Cx) -> Result<Option<u32>, Fail> {
    let workspace = &cx.workspace()?.root;
    if holder::read(workspace).and_then(|holder| holder.pid).is_none_or(|pid| !holder::lives(pid)) {
        return Ok(None);
    }
    match WorkspaceLock::take(workspace, &cx::now().to_string()) {
        Ok(_free) => Ok(None),
        Err(StoreError::Locked(Holder { pid, .. })) => Ok(pid),
        Err(error) => Err(offline::explain(error)),
    }
}

fn gone(cx: &Cx, pid: u32, wait: Duration) -> Result<bool, Fail> {
    let deadline = Instant::now() + wait;
    session::runtime()?.block_on(async {
        while holder::lives(pid) && running(cx)? == Some(pid) {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(true)
    })
}

fn mark_stopped(cx: &Cx) -> Result<(), Fail> {
    let workspace = cx.workspace()?;
    if !workspace.daemon_dir().is_dir() {
        return Ok(());
    }
    if let Err(error) = private::file(&workspace.stopped_marker()) {
        // It is stopped all the same, and where nothing can be written nothing can be started either.
        cx.out.warn(&format!("the next command may start it again: {error}"));
    }
    Ok(())
}

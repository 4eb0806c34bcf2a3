//! `signet daemon start`: the daemon in the background, ready when this returns.

use std::io::ErrorKind;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use signet_client::{Client, Credential, Method, Options};

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::cli::out::Style;
use crate::cli::{duration, offline, session};
use crate::config;
use crate::holder;
use signet_store::db::workspace::look as look_at;
use signet_store::{StoreError, private};

/// Pause between two looks at a starting daemon.
const POLL: Duration = Duration::from_millis(15);
/// Longest wait for one look.
const LOOK: Duration = Duration::from_secs(2);

/// Arguments of `daemon start`.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Longest wait until it is ready.
    #[arg(long, value_parser = duration, default_value = "10s", value_name = "DURATION")]
    pub(crate) wait: Duration,
}

/// A daemon that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ready {
    /// Process id.
    pub(crate) pid: u32,
    /// Address.
    pub(crate) url: String,
    /// Since when it holds the workspace, RFC 3339.
    pub(crate) since: Option<String>,
    /// It was there before.
    pub(crate) was_running: bool,
}

/// Starts the daemon, or says that it runs.
pub(crate) fn run(cx: &Cx, args: &Start) -> Result<(), Fail> {
    let ready = start_and_wait(cx, args.wait)?;
    if cx.out.is_json() {
        return cx.out.json(&json!({
            "running": true, "started": !ready.was_running, "pid": ready.pid, "url": ready.url, "since": ready.since,
        }));
    }
    let verb = if ready.was_running { "already runs" } else { "started" };
    let mark = cx.out.paint(Style::Good, "●");
    cx.out.line(&format!("{mark} signet {verb}: process {} at {}", ready.pid, ready.url))
}

/// Starts a daemon and waits until one answers; which of two that start at once does not matter.
pub(crate) fn start_and_wait(cx: &Cx, wait: Duration) -> Result<Ready, Fail> {
    let workspace = cx.workspace()?;
    refuse_bad_config(cx)?;
    let runtime = session::runtime()?;
    if let Some(ready) = runtime.block_on(look(cx)) {
        return Ok(Ready { was_running: true, ..ready });
    }
    // A marker that cannot be removed stops nobody who starts it by name; what else is wrong with the disk is
    // said by what is written next.
    drop(std::fs::remove_file(workspace.stopped_marker()));
    let mut child = spawn(cx)?;
    let deadline = Instant::now() + wait;
    runtime.block_on(async {
        loop {
            if let Some(ready) = look(cx).await {
                return Ok(ready);
            }
            let ended = child.try_wait().ok().flatten();
            if let Some(status) = ended.filter(|status| !status.success()) {
                return Err(did_not_start(cx, status.code()));
            }
            if Instant::now() >= deadline {
                let message = format!("the daemon was not ready within {} s", wait.as_secs());
                return Err(Fail::with_exit(7, "daemon_not_answering", message).hint("signet daemon logs"));
            }
            tokio::time::sleep(POLL).await;
        }
    })
}

/// What a bad configuration is, is said here and not only in the log of the child.
fn refuse_bad_config(cx: &Cx) -> Result<(), Fail> {
    let loaded = config::load(&cx.workspace()?.root, &cx.env);
    crate::lifecycle::refuse(&loaded)
}

fn spawn(cx: &Cx) -> Result<Child, Fail> {
    let workspace = cx.workspace()?;
    let failed = |what: &str, error: &dyn std::fmt::Display| Fail::local(format!("{what}: {error}"));
    let program = std::env::current_exe().map_err(|error| failed("this program", &error))?;
    private::folder(&workspace.daemon_dir()).map_err(offline::explain)?;
    let log = private::file(&start_log(cx)?).map_err(offline::explain)?;
    log.set_len(0).map_err(|error| failed("the start log", &error))?;
    let mut command = Command::new(program);
    command
        .args(["daemon", "run", "--detached", "--workspace"])
        .arg(&workspace.root)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(log))
        .process_group(0);
    if cx.env.get("MALLOC_ARENA_MAX").is_none() {
        // The daemon's threads allocate little at a time; an arena each would keep memory for nothing.
        command.env("MALLOC_ARENA_MAX", "2");
    }
    command.spawn().map_err(|error| failed("the daemon cannot be started", &error))
}

fn start_log(cx: &Cx) -> Result<std::path::PathBuf, Fail> {
    Ok(cx.workspace()?.daemon_dir().join("start.log"))
}

fn did_not_start(cx: &Cx, code: Option<i32>) -> Fail {
    let said = start_log(cx).ok().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let said = said.trim();
    let said = said.strip_prefix("error: ").unwrap_or(said);
    if said.is_empty() && is_full(cx) {
        // The daemon could not even write down why it ended.
        return no_space(cx);
    }
    let message = if said.is_empty() { "the daemon did not start".to_owned() } else { said.to_owned() };
    let exit = code.and_then(|code| u8::try_from(code).ok()).filter(|code| *code > 0).unwrap_or(1);
    Fail::with_exit(exit, "daemon_did_not_start", message)
}

/// Whether there is not even room for a page of the database.
fn is_full(cx: &Cx) -> bool {
    let report = cx.workspace().ok().and_then(|workspace| look_at(&workspace.root).ok());
    report.and_then(|report| report.free_bytes).is_some_and(|free| free < 65_536)
}

fn no_space(cx: &Cx) -> Fail {
    match cx.workspace() {
        Ok(workspace) => offline::explain(StoreError::io(&workspace.root, ErrorKind::StorageFull.into())),
        Err(fail) => fail,
    }
}

/// The daemon of the workspace, when it is ready.
pub(crate) async fn look(cx: &Cx) -> Option<Ready> {
    let holder = holder::read(&cx.workspace().ok()?.root)?;
    let (pid, url) = (holder.pid?, holder.url?);
    if !holder::lives(pid) {
        return None;
    }
    let options = Options {
        url: url.clone(),
        credential: Credential::None,
        agent: None,
        timezone: None,
        timeout: LOOK,
    };
    let client = Client::new(options).ok()?;
    let (status, _) = client.exchange(Method::Get, "/health/live", None).await.ok()?;
    (status == 200).then_some(Ready { pid, url, since: holder.started_at, was_running: false })
}

//! The daemon under measurement: the built binary on a workspace of its own and a free port.

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::http::Client;

/// Longest start, which is never near on a sound machine.
const START: Duration = Duration::from_mins(1);
/// Longest orderly stop.
const STOP: Duration = Duration::from_secs(30);
/// How often a state is looked at while waiting for it.
const LOOK: Duration = Duration::from_millis(1);

/// A running daemon; dropping it kills it.
#[derive(Debug)]
pub(crate) struct Daemon {
    child: Child,
    port: u16,
    ready_after: Duration,
}

/// Builds the binary as it is shipped, and says where it lies.
pub(crate) fn build(root: &Path, profile: &str) -> Result<PathBuf> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--package", "signet", "--profile", profile])
        .current_dir(root)
        .status()
        .context("running cargo build")?;
    ensure!(built.success(), "cargo build --profile {profile} failed");
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(root.join("target").join(folder).join("signet"))
}

impl Daemon {
    /// Starts the binary on a workspace and waits until it is ready. `settings` is the text of its
    /// `agent.yaml`; its log goes to `daemon.log` in the workspace.
    pub(crate) fn start(binary: &Path, workspace: &Path, settings: &str) -> Result<Self> {
        let port = free_port()?;
        std::fs::write(workspace.join("agent.yaml"), settings)?;
        let log = File::create(workspace.join("daemon.log"))?;
        let started = Instant::now();
        let child = Command::new(binary)
            .args(["daemon", "run", "--workspace"])
            .arg(workspace)
            .env("SIGNET_PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("starting {}", binary.display()))?;
        let mut daemon = Self { child, port, ready_after: Duration::ZERO };
        daemon.wait_until_ready(started, workspace)?;
        daemon.ready_after = started.elapsed();
        Ok(daemon)
    }

    /// From the start of the process to the first `ready`.
    pub(crate) const fn ready_after(&self) -> Duration {
        self.ready_after
    }

    /// A new connection.
    pub(crate) fn client(&self) -> Result<Client> {
        Client::connect(self.port)
    }

    /// Resident memory in MiB, where the system tells.
    pub(crate) fn resident_mib(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kib / 1024.0)
    }

    /// Asks the daemon to stop as a service manager would, and waits until it has.
    pub(crate) fn stop(mut self) -> Result<()> {
        let asked = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status()?;
        ensure!(asked.success(), "cannot signal the daemon");
        let since = Instant::now();
        while self.child.try_wait()?.is_none() {
            ensure!(since.elapsed() < STOP, "the daemon does not stop");
            pause(LOOK);
        }
        Ok(())
    }

    fn wait_until_ready(&mut self, started: Instant, workspace: &Path) -> Result<()> {
        while started.elapsed() < START {
            if let Some(status) = self.child.try_wait()? {
                let log = std::fs::read_to_string(workspace.join("daemon.log")).unwrap_or_default();
                bail!("the daemon ended with {status}:\n{log}");
            }
            let ready = Client::connect(self.port).and_then(|mut client| client.get("/health/ready"));
            if ready.is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            pause(LOOK);
        }
        bail!(
            "the daemon is not ready after {START:?}; its log is {}",
            workspace.join("daemon.log").display()
        )
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Waits a moment between two looks at another process, which has no event to wait for.
#[expect(clippy::disallowed_methods, reason = "polling another process")]
pub(crate) fn pause(moment: Duration) {
    std::thread::sleep(moment);
}

/// A port that was free a moment ago.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_that_ends_at_once_is_an_error_that_shows_its_words() -> Result<()> {
        let workspace = tempfile::tempdir()?;
        let binary = workspace.path().join("broken");
        std::fs::write(&binary, "#!/bin/sh\necho no such workspace >&2\nexit 3\n")?;
        Command::new("chmod").arg("+x").arg(&binary).status()?;
        let error =
            Daemon::start(&binary, workspace.path(), "a: 1\n").map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(error, Err("the daemon ended with exit status: 3:\nno such workspace\n".to_owned()));
        assert_eq!(std::fs::read_to_string(workspace.path().join("agent.yaml"))?, "a: 1\n");
        Ok(())
    }
}

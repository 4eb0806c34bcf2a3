//! `signet daemon …`, one file a command.

pub(crate) mod restart;
pub(crate) mod run;
pub(crate) mod start;
pub(crate) mod status;
pub(crate) mod stop;

use clap::Subcommand;

use super::cx::Cx;
use super::fail::Fail;
use super::logs;

/// Commands of `daemon`.
#[derive(Debug, Subcommand)]
pub(crate) enum Daemon {
    /// Be the daemon, in the foreground.
    Run(run::Run),
    /// Start the daemon in the background and wait until it is ready.
    Start(start::Start),
    /// Stop the daemon: running requests end first.
    Stop(stop::Stop),
    /// Stop it and start it again.
    Restart(restart::Restart),
    /// Say whether it runs, and where.
    Status(status::Status),
    /// Show its log.
    Logs(logs::Logs),
}

/// Runs a command of `daemon`.
pub(crate) fn run(cx: &Cx, command: &Daemon) -> Result<(), Fail> {
    match command {
        Daemon::Run(args) => run::run(cx, args),
        Daemon::Start(args) => start::run(cx, args),
        Daemon::Stop(args) => stop::run(cx, args),
        Daemon::Restart(args) => restart::run(cx, args),
        Daemon::Status(args) => status::run(cx, args),
        Daemon::Logs(args) => logs::run(cx, args),
    }
}

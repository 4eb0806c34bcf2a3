//! `signet daemon run`: this process becomes the daemon.

use clap::Args;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;
use crate::lifecycle::{self, Notes};

/// Arguments of `daemon run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Accepted for service files; it is always in the foreground.
    #[arg(long, hide = true)]
    foreground: bool,
    /// Log to the file only; set by `daemon start`.
    #[arg(long, hide = true)]
    detached: bool,
}

/// Runs the daemon until a signal ends it.
pub(crate) fn run(cx: &Cx, args: &Run) -> Result<(), Fail> {
    let notes = if args.detached { Notes::FileOnly } else { Notes::FileAndStderr };
    lifecycle::run(cx, notes)
}

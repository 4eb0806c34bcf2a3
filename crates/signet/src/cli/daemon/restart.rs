//! `signet daemon restart`.

use clap::Args;

use crate::cli::cx::Cx;
use crate::cli::fail::Fail;

use super::{start, stop};

/// Arguments of `daemon restart`.
#[derive(Debug, Args)]
pub(crate) struct Restart {
    /// How it is stopped.
    #[command(flatten)]
    stop: stop::Stop,
}

/// Stops the daemon, when it runs, and starts it.
pub(crate) fn run(cx: &Cx, args: &Restart) -> Result<(), Fail> {
    stop::stop(cx, &args.stop)?;
    start::run(cx, &start::Start { wait: args.stop.wait })
}

//! `cargo xtask bench`: the product measured from outside, over HTTP, as its callers see it.

mod daemon;
mod http;
mod machine;
mod scale;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// What is measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Speed and memory at growing numbers of memories.
    Scale(scale::Args),
}

/// Runs one benchmark.
pub(crate) fn run(bench: &Bench) -> Result<ExitCode> {
    match bench {
        Bench::Scale(args) => scale::run(args),
    }
}

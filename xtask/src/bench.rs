//! `cargo xtask bench`: the product measured from outside, over HTTP, as its callers see it.

mod daemon;
mod http;
mod machine;
mod quality;
mod scale;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// What is measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Speed and memory at growing numbers of memories.
    Scale(scale::Args),
    /// Quality of recall on LoCoMo: chats of two people.
    Locomo(quality::Args),
    /// Quality of recall on BEAM: long chats with an assistant.
    Beam(quality::Args),
}

/// Runs one benchmark.
pub(crate) fn run(bench: &Bench) -> Result<ExitCode> {
    match bench {
        Bench::Scale(args) => scale::run(args),
        Bench::Locomo(args) => quality::run(quality::DataSet::Locomo, args),
        Bench::Beam(args) => quality::run(quality::DataSet::Beam, args),
    }
}

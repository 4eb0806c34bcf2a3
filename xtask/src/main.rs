//! Repository automation: what a contributor or the gate runs that is not the product.
//!
//! Must not depend on the product's crates: it looks at them from outside.

mod bench;
mod output;
mod pack_model;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Repository automation.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check the rules of the repository that the compiler cannot keep.
    Tidy,
    /// Measure the product from outside.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Make the packed model in assets/ from the published weights.
    PackModel(pack_model::Args),
}

fn main() -> ExitCode {
    let done = match &Cli::parse().command {
        Command::Tidy => tidy::run(),
        Command::Bench(bench) => bench::run(bench),
        Command::PackModel(args) => pack_model::run(args),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            output::complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// The folder that holds the workspace's `Cargo.toml`.
fn workspace_root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_path_buf).context("xtask lies in the workspace root")
}

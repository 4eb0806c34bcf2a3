//! Repository automation: what a contributor or the gate runs that is not the product.
//!
//! Must not depend on the product's crates: it looks at them from outside.

mod output;
mod tidy;

use std::process::ExitCode;

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
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Tidy => tidy::run(),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            output::complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

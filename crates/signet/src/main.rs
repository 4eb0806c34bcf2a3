//! The signet binary: daemon and command line.

mod cli;
mod compose;
mod config;
mod env;
mod holder;
mod lifecycle;
mod listen;
mod logging;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::entry::main(std::env::args_os().collect(), env::Env::process())
}

//! `signet completions`: a script made from the command tree.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use super::cx::Cx;
use super::fail::Fail;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(cx: &Cx, args: &Completions) -> Result<(), Fail> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "signet", &mut script);
    let script = String::from_utf8(script).map_err(|error| Fail::local(error.to_string()))?;
    cx.out.line(script.trim_end())
}

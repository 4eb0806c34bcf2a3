//! `signet memory …`, one file a command.

mod edit;
mod forget;
mod history;
mod list;
mod recover;
mod show;
mod similar;

use clap::Subcommand;

use super::cx::Cx;
use super::fail::Fail;

/// Commands of `memory`.
#[derive(Debug, Subcommand)]
pub(crate) enum Memory {
    /// Show one memory with all its fields.
    Show(show::Show),
    /// List memories, newest first.
    List(list::List),
    /// Change a memory; the old text stays in its history.
    Edit(edit::Edit),
    /// Forget memories; they can be recovered for 30 days.
    Forget(forget::Forget),
    /// Bring a forgotten memory back.
    Recover(recover::Recover),
    /// Show what happened to a memory.
    History(history::History),
    /// Show the memories that are nearest by meaning.
    Similar(similar::Similar),
}

/// Runs a command of `memory`.
pub(crate) fn run(cx: &Cx, command: &Memory) -> Result<(), Fail> {
    match command {
        Memory::Show(args) => show::run(cx, args),
        Memory::List(args) => list::run(cx, args),
        Memory::Edit(args) => edit::run(cx, args),
        Memory::Forget(args) => forget::run(cx, args),
        Memory::Recover(args) => recover::run(cx, args),
        Memory::History(args) => history::run(cx, args),
        Memory::Similar(args) => similar::run(cx, args),
    }
}

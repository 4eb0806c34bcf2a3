//! The only place of xtask that writes to the terminal.

use std::io::Write;

/// Writes a line to standard output. A closed pipe is the reader's choice, not an error.
pub(crate) fn say(line: &str) {
    drop(writeln!(std::io::stdout().lock(), "{line}"));
}

/// Writes a line to standard error.
pub(crate) fn complain(line: &str) {
    drop(writeln!(std::io::stderr().lock(), "{line}"));
}

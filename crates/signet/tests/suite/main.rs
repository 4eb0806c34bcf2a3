//! The built binary from outside: daemon, command line, configuration, crash and restart.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed step fails the test")]

mod commands;
mod config;
mod crash;
mod daemon;
mod evidence;
mod exit_codes;
mod files;
mod help;
mod silent;
mod store;
mod support;

//! The signet binary: daemon and command line.

mod config;
mod env;
mod workspace;

fn main() {}

//! The signet binary.
fn main() {}

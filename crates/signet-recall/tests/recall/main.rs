//! The one recall over a real store.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod channels;
mod degraded;
mod explain;
mod languages;
mod pending;
mod prior;
mod scope;
mod score;
mod similar;
mod text;
mod world;

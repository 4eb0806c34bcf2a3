//! HTTP: the daemon's only network surface.
//!
//! Owns: routes, wire types, authentication, scope, limits, error mapping.
//! Must never know: SQL text, providers, background workers; embedding only through ports.

pub mod cx;
pub mod field;
pub mod http;
pub mod input;
pub mod route;
pub mod state;

pub use state::AppState;

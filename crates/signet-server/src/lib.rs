//! HTTP: the daemon's only network surface.
//!
//! Owns: routes, wire types, authentication, scope, limits, error mapping.
//! Must never know: SQL text, providers, background workers; embedding only through ports.

pub mod auth;
pub mod config;
pub mod cx;
pub mod error;
pub mod field;
pub mod gate;
pub mod http;
pub mod input;
pub mod live;
pub mod middleware;
pub mod openapi;
pub mod probe;
pub mod route;
pub mod router;
pub mod serve;
pub mod state;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use config::{DaemonInfo, Mode, ServerConfig};
pub use gate::{Gate, Life};
pub use serve::{app, serve};
pub use state::AppState;

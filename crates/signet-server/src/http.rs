//! The routes, one folder a resource, one file an action.

pub mod agents;
pub mod analytics;
pub mod auth;
pub mod embeddings;
pub mod health;
pub mod memory;
pub mod recall;

use crate::route::Route;

/// Every route of the daemon. Literal paths stand before parameter paths of the same shape.
pub fn table() -> Vec<Route> {
    [
        health::ROUTES,
        analytics::ROUTES,
        auth::ROUTES,
        agents::ROUTES,
        memory::ROUTES,
        recall::ROUTES,
        embeddings::ROUTES,
    ]
    .concat()
}

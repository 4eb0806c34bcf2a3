//! Figures about the daemon's own work.

mod latency;

use signet_model::Permission;

use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

/// Routes of this resource.
pub const ROUTES: &[Route] = &[route(
    Verb::Get,
    "/api/analytics/latency",
    Access::Needs(Permission::Analytics),
    |cx| Box::pin(async move { latency::latency(&cx) }),
    schema::<latency::Groups>,
    "How long requests took since the start, per group.",
)];

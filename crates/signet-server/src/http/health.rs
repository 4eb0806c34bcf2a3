//! Health, readiness, status, mode: answers that cost the same however much is stored.

mod features;
mod live;
mod mode;
mod openapi;
mod ready;
mod report;
mod resources;
mod status;
mod verdict;
mod workspace;

use signet_model::Permission;

use crate::openapi::{any_object, schema};
use crate::route::{Access, Route, Verb, route};

/// Routes of this resource.
pub const ROUTES: &[Route] = &[
    route(
        Verb::Get,
        "/health",
        Access::Open,
        |cx| Box::pin(report::report(cx)),
        schema::<report::Health>,
        "Whether the daemon is well, and if not, why.",
    ),
    route(
        Verb::Get,
        "/health/live",
        Access::Open,
        |cx| Box::pin(live::live(cx)),
        schema::<live::Live>,
        "Answers while the process does; touches no database.",
    ),
    route(
        Verb::Get,
        "/health/ready",
        Access::Open,
        |cx| Box::pin(ready::ready(cx)),
        schema::<ready::Ready>,
        "Whether requests can be served; 503 when not.",
    ),
    route(
        Verb::Get,
        "/api/mode",
        Access::Open,
        |cx| Box::pin(async move { mode::mode(&cx) }),
        schema::<mode::ModeAnswer>,
        "Whether callers need a credential.",
    ),
    route(
        Verb::Get,
        "/api/features",
        Access::Any,
        |cx| Box::pin(async move { features::features(&cx) }),
        any_object,
        "Switchable features by name; there are none.",
    ),
    route(
        Verb::Get,
        "/api/status",
        Access::Any,
        |cx| Box::pin(status::status(cx)),
        schema::<status::StatusAnswer>,
        "State of daemon, embedding and configuration.",
    ),
    route(
        Verb::Get,
        "/api/status/workspace",
        Access::Needs(Permission::Diagnostics),
        |cx| Box::pin(async move { workspace::workspace(&cx) }),
        schema::<workspace::Workspace>,
        "Which folder is used and what kind of folder it is.",
    ),
    route(
        Verb::Get,
        "/api/openapi.json",
        Access::Any,
        |cx| Box::pin(async move { openapi::openapi(&cx) }),
        any_object,
        "This description.",
    ),
];

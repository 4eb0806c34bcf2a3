//! GET /health/live

use std::time::Instant;

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use super::report::uptime;
use crate::cx::{Cx, Reply};

/// The process answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Live {
    /// `live`.
    status: &'static str,
    /// Seconds since start.
    uptime: i64,
    /// The runtime's own delay.
    event_loop: EventLoop,
}

/// How late the runtime is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EventLoop {
    /// Milliseconds until a task that gave way ran again.
    lag_ms: u64,
}

pub(super) async fn live(cx: Cx) -> Result<Reply, Error> {
    let before = Instant::now();
    tokio::task::yield_now().await;
    let lag_ms = u64::try_from(before.elapsed().as_millis()).unwrap_or(u64::MAX);
    Reply::ok(&Live { status: "live", uptime: uptime(&cx), event_loop: EventLoop { lag_ms } })
}

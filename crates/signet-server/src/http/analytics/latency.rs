//! GET /api/analytics/latency

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use crate::cx::{Cx, Reply};

/// Figures by group; a group that was never called is absent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Groups(BTreeMap<&'static str, Figures>);

/// Whole milliseconds; percentiles are of the most recent 512 requests.
#[derive(Debug, Serialize, JsonSchema)]
struct Figures {
    p50: u32,
    p95: u32,
    p99: u32,
    mean: u64,
    count: u64,
}

pub(super) fn latency(cx: &Cx) -> Result<Reply, Error> {
    let figures = cx.state.gate.latency.figures().into_iter().map(|(name, figures)| {
        let crate::middleware::latency::Figures { p50, p95, p99, mean, count } = figures;
        (name, Figures { p50, p95, p99, mean, count })
    });
    Reply::ok(&Groups(figures.collect()))
}

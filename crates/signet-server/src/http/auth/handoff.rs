//! POST /api/auth/handoff

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;

use super::issue::Rights;
use crate::cx::{Cx, Reply};

/// A code for a page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Handoff {
    /// The code; belongs in the fragment of an address, never into its query.
    code: String,
    /// When it ends.
    expires_at: String,
}

pub(super) fn handoff(cx: &Cx) -> Result<Reply, Error> {
    // Refused now rather than when the page redeems it.
    Rights::of(&cx.principal)?;
    let (code, ends) = cx.state.gate.handoffs.make(&cx.principal, cx.state.clock.now())?;
    Reply::ok(&Handoff { code, expires_at: ends.to_string() })
}

//! POST /api/auth/handoff/redeem

use signet_model::{Code, Error};

use super::issue::{Rights, issue};
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};

pub(super) const FIELDS: &[Field] =
    &[Field::new("code", Kind::Text { min: 1, max: 64 }, "Hand-off code.").required("code is required")];

pub(super) async fn redeem(cx: Cx) -> Result<Reply, Error> {
    let code = cx.input.text("code").unwrap_or_default();
    let principal = cx.state.gate.handoffs.redeem(code, cx.state.clock.now()).ok_or_else(|| {
        Error::new(Code::AuthenticationRequired, "the hand-off code is wrong, used or over")
            .hint("ask for a new one")
    })?;
    let rights = Rights::of(&principal)?;
    let ttl = cx.state.config.session_ttl_seconds;
    Reply::ok(&issue(&cx, rights, ttl).await?)
}

//! POST /api/auth/session

use signet_model::{Code, Error};

use super::issue::{Rights, issue};
use crate::cx::{Cx, Reply};

pub(super) async fn session(cx: Cx) -> Result<Reply, Error> {
    let is_key = cx.principal.claims.as_ref().is_some_and(|claims| claims.sub.starts_with("api-key:"));
    if cx.principal.trusted_local || is_key {
        return Err(Error::new(Code::InvalidRequest, "there is no token to renew")
            .hint("a caller on this machine needs none, and an API key is good as it is"));
    }
    let rights = Rights::of(&cx.principal)?;
    let ttl = cx.state.config.session_ttl_seconds;
    Reply::ok(&issue(&cx, rights, ttl).await?)
}

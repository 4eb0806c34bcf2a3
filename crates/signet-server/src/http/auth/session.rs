//! POST /api/auth/session

use signet_model::{Code, Error};

use super::issue::{Rights, issue};
use crate::cx::{Cx, Reply};

pub(super) async fn session(cx: Cx) -> Result<Reply, Error> {
    if cx.principal.trusted_local {
        return Err(Error::new(Code::InvalidRequest, "there is no token to renew")
            .hint("a caller on this machine needs none"));
    }
    let rights = Rights::of(&cx.principal)?;
    let ttl = cx.state.config.session_ttl_seconds;
    Reply::ok(&issue(&cx, rights, ttl).await?)
}

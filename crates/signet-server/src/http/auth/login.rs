//! POST /api/auth/login

use signet_model::{Code, Error};

use crate::cx::Reply;

pub(super) fn login() -> Result<Reply, Error> {
    Err(Error::new(Code::NotConfigured, "log-in by password or single sign-on is not set up")
        .hint("use a token (`signet token create`) or an API key"))
}

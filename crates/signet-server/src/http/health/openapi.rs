//! GET /api/openapi.json

use signet_model::Error;

use crate::cx::{Cx, Reply};

pub(super) fn openapi(_: &Cx) -> Result<Reply, Error> {
    Reply::ok(&crate::openapi::document(&crate::http::table()))
}

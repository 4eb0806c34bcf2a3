//! GET /api/features

use signet_model::Error;

use crate::cx::{Cx, Reply};

pub(super) fn features(_: &Cx) -> Result<Reply, Error> {
    Reply::ok(&serde_json::Map::new())
}

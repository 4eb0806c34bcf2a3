//! GET /api/memory/search.

use signet_model::Error;

use super::post;
use crate::cx::{Cx, Reply};

/// Answers the same recall with its text in `q`.
pub(super) async fn search(cx: Cx) -> Result<Reply, Error> {
    post::answer(cx, "q").await
}

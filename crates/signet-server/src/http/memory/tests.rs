//! The memory routes through the whole surface.

mod change;
mod forget;
mod read;
mod remember;

use serde_json::{Value, json};

use crate::testing::TestServer;

/// Remembers a text and answers its id.
pub(super) async fn say(server: &TestServer, content: &str) -> String {
    tell(server, json!({ "content": content })).await["id"].as_str().expect("an id").to_owned()
}

/// Sends a remember call that goes through.
pub(super) async fn tell(server: &TestServer, body: Value) -> Value {
    server.post("/api/memory/remember").json(&body).send().await.expect(200).clone()
}

/// The row of an id.
pub(super) async fn row(server: &TestServer, id: &str) -> Value {
    server.get(&format!("/api/memory/{id}")).send().await.expect(200).clone()
}

//! GET /api/memory/{id}/history.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use signet_model::{Code, Detail, Error, Permission};
use signet_store::audit::history::Entry;
use signet_store::evidence::memory::history::of;

use super::fields::id;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    fields: &[Field::new("limit", Kind::Clamped { default: 200, min: 1, max: 1000 }, "Most events.")],
    ..route(
        Verb::Get,
        "/api/memory/{id}/history",
        Access::Needs(Permission::Recall),
        |cx| Box::pin(history(cx)),
        schema::<MemoryHistory>,
        "What happened to a memory, oldest first; also after it was purged.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MemoryHistory {
    memory_id: String,
    count: usize,
    history: Vec<HistoryEvent>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HistoryEvent {
    id: String,
    event: String,
    old_content: Option<String>,
    new_content: Option<String>,
    changed_by: String,
    actor_type: String,
    reason: Option<String>,
    metadata: Option<Value>,
    created_at: String,
    session_id: Option<String>,
    request_id: Option<String>,
}

impl From<Entry> for HistoryEvent {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id,
            event: entry.event,
            old_content: entry.old_content,
            new_content: entry.new_content,
            changed_by: entry.changed_by,
            actor_type: entry.actor_type,
            reason: entry.reason,
            metadata: entry.metadata,
            created_at: entry.created_at,
            session_id: entry.session_id,
            request_id: entry.request_id,
        }
    }
}

async fn history(cx: Cx) -> Result<Reply, Error> {
    let (scope, id) = (cx.scope.clone(), id(&cx));
    let limit = cx.input.int("limit").unwrap_or(200);
    let asked = id.clone();
    let events = cx.state.reader.read(move |tx| of(tx, &scope, &asked, limit)).await?;
    if events.is_empty() {
        return Err(Error::new(Code::NotFound, "Not found").with("memoryId", Detail::Text(id.to_string())));
    }
    Reply::ok(&MemoryHistory {
        memory_id: id.to_string(),
        count: events.len(),
        history: events.into_iter().map(HistoryEvent::from).collect(),
    })
}

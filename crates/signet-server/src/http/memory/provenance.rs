//! GET /api/memory/{id}/provenance.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission};
use signet_store::evidence::memory::provenance::{Provenance, provenance as store};

use super::fields::id;
use super::wire::filled;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = route(
    Verb::Get,
    "/api/memory/{id}/provenance",
    Access::Needs(Permission::Recall),
    |cx| Box::pin(provenance(cx)),
    schema::<ProvenanceWire>,
    "Where a memory comes from and what stands beside it.",
);

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProvenanceWire {
    memory_id: String,
    source: SourceWire,
    session: SessionWire,
    /// Memories that it replaced.
    derived_from: Vec<String>,
    hints: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SourceWire {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    path: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SessionWire {
    id: Option<String>,
    key: Option<String>,
}

impl From<Provenance> for ProvenanceWire {
    fn from(Provenance { row, derived_from, hints }: Provenance) -> Self {
        Self {
            memory_id: row.id.to_string(),
            source: SourceWire { kind: row.source_type, id: filled(row.source_id), path: row.source_path },
            session: SessionWire { id: row.session_id, key: row.session_key },
            derived_from: derived_from.into_iter().map(|id| id.to_string()).collect(),
            hints,
        }
    }
}

async fn provenance(cx: Cx) -> Result<Reply, Error> {
    let (scope, id, now) = (cx.scope.clone(), id(&cx), cx.state.clock.now());
    let found = cx.state.reader.read(move |tx| store(tx, &scope, &id, now)).await?;
    Reply::ok(&ProvenanceWire::from(found.ok_or_else(Error::not_found)?))
}

//! GET /api/agents/{name}.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission};
use signet_store::control::agents::find;
use signet_store::evidence::memory::stats::live;

use super::policy::{named, visible};
use super::wire::AgentWire;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = route(
    Verb::Get,
    "/api/agents/{name}",
    Access::Needs(Permission::Recall),
    |cx| Box::pin(get(cx)),
    schema::<CountedAgent>,
    "One agent with the number of its memories.",
);

#[derive(Debug, Serialize, JsonSchema)]
struct CountedAgent {
    #[serde(flatten)]
    agent: AgentWire,
    memory_count: i64,
}

async fn get(cx: Cx) -> Result<Reply, Error> {
    let name = named(&cx);
    visible(&cx, &name)?;
    let (agent, memory_count) =
        cx.state.reader.read(move |tx| Ok((find(tx, &name)?, live(tx, &name)?))).await?;
    let agent = agent.filter(|agent| !agent.archived).ok_or_else(Error::not_found)?;
    Reply::ok(&CountedAgent { agent: agent.into(), memory_count })
}

//! GET /api/agents.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission};
use signet_store::control::agents::list as store;

use super::policy::visible;
use super::wire::AgentWire;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = route(
    Verb::Get,
    "/api/agents",
    Access::Needs(Permission::Recall),
    |cx| Box::pin(list(cx)),
    schema::<AgentList>,
    "Agents that are not archived.",
);

#[derive(Debug, Serialize, JsonSchema)]
struct AgentList {
    agents: Vec<AgentWire>,
}

async fn list(cx: Cx) -> Result<Reply, Error> {
    let agents = cx.state.reader.read(store).await?;
    let seen = agents.into_iter().filter(|agent| visible(&cx, &agent.id).is_ok());
    Reply::ok(&AgentList { agents: seen.map(AgentWire::from).collect() })
}

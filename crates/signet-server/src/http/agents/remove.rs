//! DELETE /api/agents/{name}: archives its memories, or removes them with a receipt.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{AgentId, Error, Permission};
use signet_store::control::agents::find;
use signet_store::evidence::memory::agent_rows::{archive_step, finish_purge, purge_step};
use signet_store::evidence::memory::purge::Removed;

use super::policy::{administered, named};
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::http::memory::{RemovedWire, frozen, removed_wire};
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    rate: Rate::Admin,
    fields: &[
        Field::new("purge", Kind::Bool, "Remove the memories for good."),
        Field::new("confirm", Kind::Text { min: 0, max: 64 }, "The name again, with purge."),
        Field::new("reason", Kind::Text { min: 0, max: 1000 }, "Why, for history and receipt."),
    ],
    ..route(
        Verb::Delete,
        "/api/agents/{name}",
        Access::Needs(Permission::Admin),
        |cx| Box::pin(remove(cx)),
        schema::<RemovedAgent>,
        "Archives an agent, or removes all of its memories.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RemovedAgent {
    name: String,
    /// `archived` or `purged`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    archived: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<Vec<RemovedWire>>,
}

async fn remove(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let name = named(&cx);
    if name == AgentId::default_agent() {
        return Err(Error::field("name", "the agent 'default' cannot be removed"));
    }
    administered(&cx, &name)?;
    let asked = name.clone();
    let known = cx.state.reader.read(move |tx| find(tx, &asked)).await?;
    known.ok_or_else(Error::not_found)?;
    let reason = cx.reason.clone().unwrap_or_else(|| "agent removed".to_owned());
    if !cx.input.flag("purge") {
        return Reply::ok(&archive(&cx, name, reason).await?);
    }
    if cx.input.text("confirm") != Some(name.as_str()) {
        return Err(Error::field("confirm", "confirm must be the name of the agent"));
    }
    Reply::ok(&purge(&cx, name, reason).await?)
}

async fn archive(cx: &Cx, name: AgentId, reason: String) -> Result<RemovedAgent, Error> {
    let mut archived = 0;
    loop {
        let (agent, actor, reason) = (name.clone(), cx.actor.clone(), reason.clone());
        let step = cx.state.writer.write(move |tx| archive_step(tx, &agent, &actor, &reason)).await?;
        archived += step;
        if step == 0 {
            break;
        }
    }
    Ok(RemovedAgent {
        name: name.to_string(),
        status: "archived",
        archived: Some(archived),
        receipt_id: None,
        removed: None,
    })
}

async fn purge(cx: &Cx, name: AgentId, reason: String) -> Result<RemovedAgent, Error> {
    let mut removed = Removed::new();
    loop {
        let (agent, actor, reason) = (name.clone(), cx.actor.clone(), reason.clone());
        let mut counts = removed.clone();
        let (step, counts) = cx
            .state
            .writer
            .write(move |tx| Ok((purge_step(tx, &agent, &actor, &reason, &mut counts)?, counts)))
            .await?;
        removed = counts;
        if step == 0 {
            break;
        }
    }
    let (agent, actor) = (name.clone(), cx.actor.clone());
    let (receipt, removed) =
        cx.state.writer.write(move |tx| finish_purge(tx, &agent, &actor, &reason, removed)).await?;
    Ok(RemovedAgent {
        name: name.to_string(),
        status: "purged",
        archived: None,
        receipt_id: Some(receipt),
        removed: Some(removed_wire(removed)),
    })
}

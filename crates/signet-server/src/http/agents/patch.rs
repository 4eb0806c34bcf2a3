//! PATCH /api/agents/{name}: the read policy. Every read resolves it anew, so it holds at once.

use signet_model::{Error, Permission};
use signet_store::control::agents::{find, set_policy};

use super::policy::{POLICY_GROUP, READ_POLICY, administered, named, read};
use super::wire::AgentWire;
use crate::cx::{Cx, Reply};
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    rate: Rate::Admin,
    fields: &[READ_POLICY, POLICY_GROUP],
    ..route(
        Verb::Patch,
        "/api/agents/{name}",
        Access::Needs(Permission::Admin),
        |cx| Box::pin(patch(cx)),
        schema::<AgentWire>,
        "Changes what an agent reads.",
    )
};

async fn patch(cx: Cx) -> Result<Reply, Error> {
    let name = named(&cx);
    administered(&cx, &name)?;
    let asked = name.clone();
    let known = cx.state.reader.read(move |tx| find(tx, &asked)).await?.ok_or_else(Error::not_found)?;
    let policy = read(&cx.input, known.policy)?;
    let changed = cx.state.writer.write(move |tx| {
        set_policy(tx, &name, &policy)?;
        find(&tx.as_read(), &name)
    });
    Reply::ok(&AgentWire::from(changed.await?.ok_or_else(Error::not_found)?))
}

//! POST /api/agents.

use signet_model::{AgentId, Error, Permission, ReadPolicy};
use signet_store::control::agents::{create as store, find};

use super::policy::{POLICY_GROUP, READ_POLICY, administered, read};
use super::wire::AgentWire;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

const RULE: &str = "name must be 1 to 64 characters of a-z, 0-9 and -, not beginning with -";

pub(super) const ROUTE: Route = Route {
    rate: Rate::Admin,
    fields: &[
        Field::new("name", Kind::Text { min: 1, max: 64 }, "Lower-case letters, digits and -.")
            .required("name is required")
            .wrong(RULE),
        READ_POLICY,
        POLICY_GROUP,
    ],
    ..route(
        Verb::Post,
        "/api/agents",
        Access::Needs(Permission::Admin),
        |cx| Box::pin(create(cx)),
        schema::<AgentWire>,
        "Makes an agent known before its first write.",
    )
};

async fn create(cx: Cx) -> Result<Reply, Error> {
    let name = cx.input.text("name").unwrap_or_default().to_owned();
    let fits = !name.starts_with('-')
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !fits {
        return Err(Error::field("name", RULE));
    }
    let name = AgentId::new(name);
    administered(&cx, &name)?;
    let policy = read(&cx.input, ReadPolicy::Isolated)?;
    let created = cx.state.writer.write(move |tx| {
        store(tx, &name, &policy)?;
        find(&tx.as_read(), &name)
    });
    Reply::with_status(201, &AgentWire::from(created.await?.ok_or_else(Error::not_found)?))
}

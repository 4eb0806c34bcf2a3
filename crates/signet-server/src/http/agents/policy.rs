//! The read policy of a request.

use signet_model::{AgentId, Error, ReadPolicy};

use crate::cx::Cx;
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::middleware::scope::restricted;

pub(super) const READ_POLICY: Field = Field::new(
    "readPolicy",
    Kind::OneOf(&["isolated", "shared", "group"]),
    "What it reads beside its own memories: nothing, global ones of agents that are not isolated, or global \
     ones of its group.",
);

pub(super) const POLICY_GROUP: Field =
    Field::new("policyGroup", Kind::Text { min: 0, max: 64 }, "Name of the group, with `group`.");

/// The policy that the fields name, `default` when they name none. A group needs its name.
pub(super) fn read(input: &Input, default: ReadPolicy) -> Result<ReadPolicy, Error> {
    let group = input.text("policyGroup").map(str::trim).filter(|group| !group.is_empty());
    match (input.text("readPolicy"), group) {
        (Some("shared"), _) => Ok(ReadPolicy::Shared),
        (Some("isolated"), _) => Ok(ReadPolicy::Isolated),
        (Some("group"), Some(group)) => Ok(ReadPolicy::Group(group.to_owned())),
        (None, Some(group)) if matches!(default, ReadPolicy::Group(_)) => {
            Ok(ReadPolicy::Group(group.to_owned()))
        }
        (Some("group"), None) => {
            Err(Error::field("policyGroup", "policy_group is required with read_policy group"))
        }
        _ => Ok(default),
    }
}

/// The agent in the path.
pub(super) fn named(cx: &Cx) -> AgentId {
    AgentId::from(cx.param("name"))
}

/// Whoever administers an agent reaches all of its rows: 403 for a credential that is restricted to some of
/// them, and an agent that the credential does not reach is not there.
pub(super) fn administered(cx: &Cx, agent: &AgentId) -> Result<(), Error> {
    visible(cx, agent)?;
    match cx.principal.restriction.within_agent() {
        Some((axis, own)) => Err(restricted(axis, &own)),
        None => Ok(()),
    }
}

/// An agent restriction of the credential holds here too: other agents are not there.
pub(super) fn visible(cx: &Cx, agent: &AgentId) -> Result<(), Error> {
    match cx.principal.restriction.agent.as_deref() {
        Some(own) if own != agent.as_str() => Err(Error::not_found()),
        _ => Ok(()),
    }
}

//! Agents as they stand in answers.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::ReadPolicy;
use signet_store::control::agents::Agent;

/// An agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AgentWire {
    id: String,
    name: String,
    /// `isolated`, `shared` or `group`.
    read_policy: &'static str,
    policy_group: Option<String>,
}

impl From<Agent> for AgentWire {
    fn from(agent: Agent) -> Self {
        let policy_group = match &agent.policy {
            ReadPolicy::Group(group) => Some(group.clone()),
            ReadPolicy::Isolated | ReadPolicy::Shared => None,
        };
        let id = agent.id.to_string();
        Self { name: id.clone(), id, read_policy: agent.policy.as_str(), policy_group }
    }
}

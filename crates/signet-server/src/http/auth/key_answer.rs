//! How an API key is shown.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::keys::KeyRow;

/// A key without the key.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeyAnswer {
    id: String,
    prefix: String,
    name: String,
    role: &'static str,
    /// Restrictions by axis.
    scope: serde_json::Value,
    permissions: Option<Vec<&'static str>>,
    connector: Option<String>,
    harness: Option<String>,
    agent_id: Option<String>,
    allowed_projects: Option<Vec<String>>,
    created_at: String,
    last_used_at: Option<String>,
    expires_at: Option<String>,
    revoked_at: Option<String>,
}

impl KeyAnswer {
    pub(super) fn of(row: &KeyRow) -> Result<Self, Error> {
        let text = |at: Option<signet_model::Timestamp>| at.map(|at| at.to_string());
        Ok(Self {
            id: row.id.clone(),
            prefix: row.prefix.clone(),
            name: row.name.clone(),
            role: row.role.as_str(),
            scope: serde_json::to_value(&row.scope).map_err(Error::internal)?,
            permissions: row.permissions.as_ref().map(|list| list.iter().map(|p| p.as_str()).collect()),
            connector: row.connector.clone(),
            harness: row.harness.clone(),
            agent_id: row.agent.clone(),
            allowed_projects: row.allowed_projects.clone(),
            created_at: row.created_at.to_string(),
            last_used_at: text(row.last_used_at),
            expires_at: text(row.expires_at),
            revoked_at: text(row.revoked_at),
        })
    }
}

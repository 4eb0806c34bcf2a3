//! What a credential is restricted to, as it stands in `scope_json`.

use serde::{Deserialize, Serialize};
use signet_model::{Permission, Role};

use crate::{Result, StoreError};

/// Axes of a credential's scope; an absent axis is not restricted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CredentialScope {
    /// Only this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Only this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only this user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

impl CredentialScope {
    /// Whether no axis is restricted.
    pub const fn is_empty(&self) -> bool {
        self.project.is_none() && self.agent.is_none() && self.user.is_none()
    }
}

/// A column that does not read: names table, column and row.
pub(super) fn corrupt(table: &'static str, column: &'static str, row: &str) -> StoreError {
    StoreError::Corrupt { table, column, row: row.to_owned() }
}

pub(super) fn scope_from(table: &'static str, row: &str, json: Option<&str>) -> Result<CredentialScope> {
    json.map_or_else(
        || Ok(CredentialScope::default()),
        |text| serde_json::from_str(text).map_err(|_| corrupt(table, "scope_json", row)),
    )
}

pub(super) fn role_from(table: &'static str, row: &str, word: &str) -> Result<Role> {
    Role::parse(word).ok_or_else(|| corrupt(table, "role", row))
}

pub(super) fn texts_from(
    (table, column): (&'static str, &'static str),
    row: &str,
    json: Option<&str>,
) -> Result<Option<Vec<String>>> {
    json.map(|text| serde_json::from_str(text).map_err(|_| corrupt(table, column, row))).transpose()
}

pub(super) fn permissions_from(
    table: &'static str,
    row: &str,
    json: Option<&str>,
) -> Result<Option<Vec<Permission>>> {
    let words = texts_from((table, "permissions_json"), row, json)?;
    words
        .map(|words| words.iter().map(|word| Permission::parse(word)).collect::<Option<Vec<_>>>())
        .map(|list| list.ok_or_else(|| corrupt(table, "permissions_json", row)))
        .transpose()
}

pub(super) fn json_of<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| signet_model::Error::internal(error).into())
}

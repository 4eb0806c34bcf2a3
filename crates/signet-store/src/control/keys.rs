//! API keys: the SHA-256 of the whole key, never the key.

use signet_model::{Code, Error, Permission, Role, Timestamp};

use super::credential::{
    CredentialScope, corrupt, json_of, permissions_from, role_from, scope_from, texts_from,
};
use crate::{ReadTx, Result, WriteTx};

/// Most keys that are held and listed.
pub const LIST_MAX: i64 = 10_000;

/// A key as the register knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// `key_` and 12 characters.
    pub id: String,
    /// 12 hex digits that stand in the key itself.
    pub prefix: String,
    /// Name for people.
    pub name: String,
    /// SHA-256 of the whole key, lower-case hex.
    pub key_hash: String,
    /// Role.
    pub role: Role,
    /// Restrictions.
    pub scope: CredentialScope,
    /// List that narrows the role.
    pub permissions: Option<Vec<Permission>>,
    /// Connector it belongs to.
    pub connector: Option<String>,
    /// Harness it belongs to.
    pub harness: Option<String>,
    /// Agent it is bound to.
    pub agent: Option<String>,
    /// Only these projects.
    pub allowed_projects: Option<Vec<String>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last seen, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it ends; `None` = never.
    pub expires_at: Option<Timestamp>,
}

/// Stores a new key.
pub fn insert_key(tx: &WriteTx<'_>, key: &KeyRow) -> Result<()> {
    const SQL: &str =
        "INSERT INTO api_keys (agent_id, id, prefix, name, key_hash, role, scope_json, permissions_json,
        connector, harness, allowed_projects_json, created_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    let words = |list: &Vec<Permission>| json_of(&list.iter().map(|p| p.as_str()).collect::<Vec<_>>());
    tx.execute(
        SQL,
        rusqlite::params![
            key.agent.as_deref().unwrap_or(""),
            key.id,
            key.prefix,
            key.name,
            key.key_hash,
            key.role.as_str(),
            json_of(&key.scope)?,
            key.permissions.as_ref().map(words).transpose()?,
            key.connector,
            key.harness,
            key.allowed_projects.as_ref().map(json_of).transpose()?,
            key.created_at.to_string(),
            key.expires_at.map(|at| at.to_string()),
        ],
    )?;
    Ok(())
}

/// Every key, newest first, at most [`LIST_MAX`]. Keys are credentials of the whole daemon: the list is
/// for administrators and for authentication, which knows no agent yet.
pub fn list_keys(tx: &ReadTx<'_>) -> Result<Vec<KeyRow>> {
    const SQL: &str =
        "SELECT agent_id, id, prefix, name, key_hash, role, scope_json, permissions_json, connector,
        harness, allowed_projects_json, created_at, last_used_at, revoked_at, expires_at
        FROM api_keys ORDER BY created_at DESC, id DESC LIMIT ?1";
    let mut statement = tx.prepare(SQL)?;
    let mut rows = statement.query([LIST_MAX])?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next()? {
        keys.push(key(row)?);
    }
    Ok(keys)
}

/// Revokes the key of an id or of the beginning of a prefix, among those that `may_see` lets through;
/// `None` = no such key. A key revoked before keeps its first time. Several keys of that beginning: 409
/// `ambiguous`.
pub fn revoke_key(
    tx: &WriteTx<'_>,
    id_or_prefix: &str,
    may_see: impl Fn(&KeyRow) -> bool,
) -> Result<Option<KeyRow>> {
    const SQL: &str = "UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
    let mut keys = list_keys(&tx.as_read())?;
    keys.retain(may_see);
    let exact = keys.iter().find(|key| key.id == id_or_prefix || key.prefix == id_or_prefix);
    let found: Vec<&KeyRow> = match exact {
        Some(key) => vec![key],
        None => keys.iter().filter(|key| key.prefix.starts_with(id_or_prefix)).collect(),
    };
    let [found] = found[..] else {
        return match found.len() {
            0 => Ok(None),
            n => Err(Error::new(Code::Ambiguous, format!("{n} keys begin with '{id_or_prefix}'"))
                .hint("name the whole id")
                .into()),
        };
    };
    let mut key = found.clone();
    if tx.execute(SQL, (&key.id, tx.now().to_string()))? == 1 {
        key.revoked_at = Some(tx.now());
    }
    Ok(Some(key))
}

/// Notes that the key was used now.
pub fn touch_key(tx: &WriteTx<'_>, id: &str) -> Result<()> {
    const SQL: &str = "UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1";
    tx.execute(SQL, (id, tx.now().to_string()))?;
    Ok(())
}

fn key(row: &rusqlite::Row<'_>) -> Result<KeyRow> {
    const TABLE: &str = "api_keys";
    let id: String = row.get("id")?;
    let text = |column: &str| row.get::<_, Option<String>>(column);
    let stamp = |column: &'static str| -> Result<Option<Timestamp>> {
        let read = |text: String| Timestamp::parse_stored(&text).ok_or_else(|| corrupt(TABLE, column, &id));
        text(column)?.map(read).transpose()
    };
    Ok(KeyRow {
        prefix: row.get("prefix")?,
        name: row.get("name")?,
        key_hash: row.get("key_hash")?,
        role: role_from(TABLE, &id, &row.get::<_, String>("role")?)?,
        scope: scope_from(TABLE, &id, text("scope_json")?.as_deref())?,
        permissions: permissions_from(TABLE, &id, text("permissions_json")?.as_deref())?,
        connector: text("connector")?,
        harness: text("harness")?,
        agent: text("agent_id")?.filter(|agent| !agent.is_empty()),
        allowed_projects: texts_from(
            (TABLE, "allowed_projects_json"),
            &id,
            text("allowed_projects_json")?.as_deref(),
        )?,
        created_at: stamp("created_at")?.ok_or_else(|| corrupt(TABLE, "created_at", &id))?,
        last_used_at: stamp("last_used_at")?,
        revoked_at: stamp("revoked_at")?,
        expires_at: stamp("expires_at")?,
        id,
    })
}

#[cfg(test)]
mod tests;

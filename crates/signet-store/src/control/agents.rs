//! Agents: the owners of memories, their read policy, and the numbers behind their row ids.
//!
//! An agent is registered by its first write, isolated. A row id is `no << 40 | seq`, never used twice,
//! so one agent is one range of row ids.

use rusqlite::{OptionalExtension, Row, params};
use signet_model::{AgentId, Code, Error, ReadPolicy};

use crate::{ReadTx, Result, StoreError, WriteTx};

/// A registered agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Id, which is also its name.
    pub id: AgentId,
    /// High bits of its row ids.
    pub no: i64,
    /// What it reads beside its own rows.
    pub policy: ReadPolicy,
    /// Its rows were archived.
    pub archived: bool,
}

/// Takes `count` row ids of the agent and answers the first; registers an unknown agent.
pub(crate) fn take_rids(tx: &WriteTx<'_>, agent: &AgentId, count: i64) -> Result<i64> {
    const SQL: &str = "UPDATE agents SET next_seq = next_seq + ?2, archived_at = NULL WHERE id = ?1
        RETURNING no << 40 | (next_seq - ?2)";
    let take = || -> Result<Option<i64>> {
        let mut statement = tx.prepare(SQL)?;
        // The statement must run to its end, or the update is rolled back with it.
        let mut rows = statement.query(params![agent.as_str(), count])?;
        let first = rows.next()?.map(|row| row.get(0)).transpose()?;
        while rows.next()?.is_some() {}
        Ok(first)
    };
    if let Some(first) = take()? {
        return Ok(first);
    }
    register(tx, agent, &ReadPolicy::Isolated)?;
    take()?.ok_or_else(|| StoreError::Refused(Error::internal("an agent just registered is missing")))
}

/// Makes an agent known. Refused with `already_exists` when it is.
pub fn create(tx: &WriteTx<'_>, agent: &AgentId, policy: &ReadPolicy) -> Result<()> {
    match find(&tx.as_read(), agent)? {
        Some(known) if !known.archived => {
            Err(Error::new(Code::AlreadyExists, format!("agent '{agent}' already exists")).into())
        }
        Some(_) => set_policy(tx, agent, policy).map(drop),
        None => register(tx, agent, policy),
    }
}

fn register(tx: &WriteTx<'_>, agent: &AgentId, policy: &ReadPolicy) -> Result<()> {
    const SQL: &str = "INSERT INTO agents (id, no, name, read_policy, policy_group, created_at, updated_at)
        VALUES (?1, (SELECT COALESCE(max(no), 0) + 1 FROM agents), ?1, ?2, ?3, ?4, ?4)";
    tx.execute(SQL, params![agent.as_str(), policy.as_str(), group(policy), tx.now().to_string()])?;
    Ok(())
}

/// Changes the read policy of an agent and takes it out of the archive; `false` when it is unknown.
/// Every read resolves the policy anew, so the change holds at once.
pub fn set_policy(tx: &WriteTx<'_>, agent: &AgentId, policy: &ReadPolicy) -> Result<bool> {
    const SQL: &str =
        "UPDATE agents SET read_policy = ?2, policy_group = ?3, archived_at = NULL, updated_at = ?4
        WHERE id = ?1";
    let changed =
        tx.execute(SQL, params![agent.as_str(), policy.as_str(), group(policy), tx.now().to_string()])?;
    Ok(changed > 0)
}

/// Marks an agent as archived.
pub(crate) fn mark_archived(tx: &WriteTx<'_>, agent: &AgentId) -> Result<()> {
    const SQL: &str = "UPDATE agents SET archived_at = ?2, updated_at = ?2 WHERE id = ?1";
    tx.execute(SQL, params![agent.as_str(), tx.now().to_string()])?;
    Ok(())
}

/// One agent; `None` when it never wrote and was never created.
pub fn find(tx: &ReadTx<'_>, agent: &AgentId) -> Result<Option<Agent>> {
    const SQL: &str =
        "SELECT id, no, read_policy, policy_group, archived_at IS NOT NULL FROM agents WHERE id = ?1";
    let found = tx.prepare(SQL)?.query_row([agent.as_str()], columns).optional()?;
    found.map(to_agent).transpose()
}

/// Agents that are not archived, by name.
pub fn list(tx: &ReadTx<'_>) -> Result<Vec<Agent>> {
    const SQL: &str = "SELECT id, no, read_policy, policy_group, 0 FROM agents
        WHERE archived_at IS NULL ORDER BY id LIMIT 10000";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map([], columns)?;
    rows.map(|row| to_agent(row?)).collect()
}

/// Every agent, archived ones too: for work that goes through all of them one by one.
pub fn ids(tx: &ReadTx<'_>) -> Result<Vec<AgentId>> {
    const SQL: &str = "SELECT id FROM agents ORDER BY no LIMIT 100000";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    Ok(rows.map(|id| id.map(AgentId::new)).collect::<rusqlite::Result<_>>()?)
}

type Columns = (String, i64, String, Option<String>, bool);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
}

fn to_agent((id, no, policy, group, archived): Columns) -> Result<Agent> {
    let policy = match (policy.as_str(), group) {
        ("isolated", _) => ReadPolicy::Isolated,
        ("shared", _) => ReadPolicy::Shared,
        ("group", Some(group)) => ReadPolicy::Group(group),
        _ => return Err(StoreError::Corrupt { table: "agents", column: "read_policy", row: id }),
    };
    Ok(Agent { id: AgentId::new(id), no, policy, archived })
}

fn group(policy: &ReadPolicy) -> Option<&str> {
    match policy {
        ReadPolicy::Group(group) => Some(group),
        ReadPolicy::Isolated | ReadPolicy::Shared => None,
    }
}

#[cfg(test)]
mod tests;

//! Tombstones: texts that were forgotten, by agent and content hash.
//!
//! A machine writer cannot bring such a text back; a person who says it again can.

use rusqlite::params;
use signet_model::{Actor, AgentId, Code, Error, MemoryId};

use crate::{Result, WriteTx};

/// Lets a text in: refuses a machine writer `forgotten`, and takes the tombstone away for a person.
/// The answer says whether there was one.
pub(crate) fn admit(tx: &WriteTx<'_>, agent: &AgentId, actor: &Actor, hash: &str) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM forget_tombstones WHERE agent_id = ?1 AND content_hash = ?2";
    if actor.kind.is_person() {
        return remove(tx, agent, hash);
    }
    if tx.prepare(SQL)?.exists(params![agent.as_str(), hash])? {
        return Err(Error::new(Code::Forgotten, "this text was forgotten")
            .hint("only a person can store it again")
            .into());
    }
    Ok(false)
}

/// Leaves a tombstone; a newer one replaces an older one.
pub(crate) fn leave(
    tx: &WriteTx<'_>,
    agent: &AgentId,
    actor: &Actor,
    (hash, memory, reason): (&str, &MemoryId, &str),
) -> Result<()> {
    const SQL: &str = "INSERT INTO forget_tombstones
        (agent_id, content_hash, memory_id, created_at, actor, actor_type, reason)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT DO UPDATE SET memory_id = excluded.memory_id, created_at = excluded.created_at,
          actor = excluded.actor, actor_type = excluded.actor_type, reason = excluded.reason, erased = 0";
    let now = tx.now().to_string();
    let kind = actor.kind.as_str();
    tx.execute(SQL, params![agent.as_str(), hash, memory.as_str(), now, actor.name, kind, reason])?;
    Ok(())
}

/// Takes a tombstone away; `false` when there is none.
pub(crate) fn remove(tx: &WriteTx<'_>, agent: &AgentId, hash: &str) -> Result<bool> {
    const SQL: &str = "DELETE FROM forget_tombstones WHERE agent_id = ?1 AND content_hash = ?2";
    Ok(tx.execute(SQL, params![agent.as_str(), hash])? > 0)
}

/// Says in a tombstone that the text is gone for good.
pub(crate) fn mark_erased(tx: &WriteTx<'_>, agent: &AgentId, hash: &str) -> Result<()> {
    const SQL: &str = "UPDATE forget_tombstones SET erased = 1 WHERE agent_id = ?1 AND content_hash = ?2";
    tx.execute(SQL, params![agent.as_str(), hash])?;
    Ok(())
}

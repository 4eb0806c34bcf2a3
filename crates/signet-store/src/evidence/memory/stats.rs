//! Numbers about an agent's memories, from counters and indexes.

use rusqlite::types::Value;
use rusqlite::{params, params_from_iter};
use signet_model::recall::Filters;
use signet_model::{AgentId, AgentScope};

use crate::derived::eligible::owners;
use crate::evidence::memory::filter::{Condition, Shown};
use crate::{ReadTx, Result};

/// Counting stops here; a larger number is a lower bound.
pub const COUNTED: i64 = 10_000;

const HIDDEN: &str = "SELECT count(*) FROM memories INDEXED BY ix_memories_hidden
    WHERE agent_id = ?1 AND is_deleted = 0 AND (superseded_by IS NOT NULL OR visibility = 'archived')";
const VECTORS: &str = "SELECT count(*) FROM embeddings e
    JOIN embedding_index_state s ON s.id = 1 AND s.active_profile_id = e.profile_id WHERE e.agent_id = ?1";
const CRITICAL: &str = "SELECT count(*) FROM memories INDEXED BY ix_memories_critical
    WHERE agent_id = ?1 AND importance >= 0.9
    AND is_deleted = 0 AND superseded_by IS NULL AND visibility <> 'archived'";

/// Numbers beside a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Listed rows.
    pub total: i64,
    /// Rows with a vector of the active profile.
    pub with_embeddings: i64,
    /// Rows of importance 0.9 and above.
    pub critical: i64,
}

/// Numbers over the rows that the list shows: the agent's own and those it reads of others, as far as the
/// credential may see them. Of the others at most [`COUNTED`] are counted.
pub fn stats(tx: &ReadTx<'_>, scope: &AgentScope) -> Result<Stats> {
    let mut sum = own(tx, scope)?;
    let mut left = COUNTED;
    for owner in owners(tx, scope)?.iter().filter(|owner| !owner.own) {
        if left == 0 {
            break;
        }
        let theirs = counted(tx, &Condition::of(owner, scope, &Filters::default(), Shown::Listed), left)?;
        left -= theirs.total;
        sum.total += theirs.total;
        sum.with_embeddings += theirs.with_embeddings;
        sum.critical += theirs.critical;
    }
    Ok(sum)
}

/// Numbers over the agent's own rows. Without restrictions from counters; with them counted, up to
/// [`COUNTED`].
fn own(tx: &ReadTx<'_>, scope: &AgentScope) -> Result<Stats> {
    if scope.projects().is_some() || scope.user().is_some() {
        return counted(tx, &Condition::own(scope, &Filters::default(), Shown::Listed), COUNTED);
    }
    let agent = scope.agent();
    Ok(Stats {
        total: live(tx, agent)? - number(tx, HIDDEN, agent)?,
        with_embeddings: number(tx, VECTORS, agent)?,
        critical: number(tx, CRITICAL, agent)?,
    })
}

/// Rows of an agent that are not forgotten, from its counter.
pub fn live(tx: &ReadTx<'_>, agent: &AgentId) -> Result<i64> {
    const SQL: &str =
        "SELECT COALESCE((SELECT value FROM counters WHERE agent_id = ?1 AND name = 'memories.live'), 0)";
    number(tx, SQL, agent)
}

fn number(tx: &ReadTx<'_>, sql: &str, agent: &AgentId) -> Result<i64> {
    Ok(tx.prepare(sql)?.query_row(params![agent.as_str()], |row| row.get(0))?)
}

/// Counts among at most `most` rows of the condition.
fn counted(tx: &ReadTx<'_>, condition: &Condition, most: i64) -> Result<Stats> {
    let count = |extra: &str| -> Result<i64> {
        let sql = format!(
            "SELECT count(*) FROM (SELECT m.agent_id, m.id, m.importance FROM memories AS m
              WHERE {} LIMIT ?) AS m {extra}",
            condition.sql
        );
        let bound = condition.params.iter().cloned().chain([Value::Integer(most)]);
        Ok(tx.prepare(&sql)?.query_row(params_from_iter(bound), |row| row.get(0))?)
    };
    Ok(Stats {
        total: count("")?,
        with_embeddings: count(
            "WHERE EXISTS (SELECT 1 FROM embeddings e JOIN embedding_index_state s
               ON s.id = 1 AND s.active_profile_id = e.profile_id
             WHERE e.agent_id = m.agent_id AND e.source_type = 'memory' AND e.source_id = m.id)",
        )?,
        critical: count("WHERE m.importance >= 0.9")?,
    })
}

#[cfg(test)]
mod tests;

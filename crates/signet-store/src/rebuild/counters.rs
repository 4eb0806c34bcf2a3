//! Counts, agent by agent: each agent's are counted and replaced in one closure, so that no change is lost.

use std::collections::BTreeMap;

use signet_model::AgentId;

use super::list_agents;
use crate::{Reader, Result, WriteTx, Writer};

/// A count that was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Owner.
    pub agent: AgentId,
    /// Name of the count.
    pub name: String,
    /// What it said.
    pub said: i64,
    /// What there is.
    pub counted: i64,
}

/// Counts all agents anew; returns what was wrong.
pub(super) fn remake(reader: &Reader, writer: &Writer) -> Result<Vec<Drift>> {
    let mut drift = Vec::new();
    for agent in list_agents(reader)? {
        let agent = AgentId::new(agent);
        drift.extend(writer.write_blocking(move |tx| remake_agent(tx, &agent))?);
    }
    Ok(drift)
}

fn remake_agent(tx: &WriteTx<'_>, agent: &AgentId) -> Result<Vec<Drift>> {
    const SAID: &str = "SELECT name, value FROM counters WHERE agent_id = ?1";
    const CLEAR: &str = "DELETE FROM counters WHERE agent_id = ?1";
    const COUNT: &str = "INSERT INTO counters (agent_id, name, value)
        SELECT ?1, name, n FROM (
          SELECT 'memories.live' AS name, COUNT(*) AS n FROM memories WHERE agent_id = ?1 AND is_deleted = 0
          UNION ALL SELECT 'memories.deleted', COUNT(*) FROM memories WHERE agent_id = ?1 AND is_deleted = 1
          UNION ALL SELECT 'memories.terms', COALESCE(SUM(l.terms), 0)
            FROM memories m JOIN memories_fts_lengths l ON l.rid = m.rid WHERE m.agent_id = ?1 AND m.is_deleted = 0
          UNION ALL SELECT 'embeddings', COUNT(*) FROM embeddings WHERE agent_id = ?1
          UNION ALL SELECT 'embedding_work.' || state, COUNT(*) FROM embedding_work WHERE agent_id = ?1 GROUP BY state
        ) WHERE n <> 0";
    let said = read(tx, SAID, agent)?;
    tx.execute(CLEAR, [agent.as_str()])?;
    tx.execute(COUNT, [agent.as_str()])?;
    let counted = read(tx, SAID, agent)?;
    let names = said.keys().chain(counted.keys().filter(|name| !said.contains_key(*name)));
    let drift = names.filter_map(|name| {
        let of = |counts: &BTreeMap<String, i64>| counts.get(name).copied().unwrap_or(0);
        let (said, counted) = (of(&said), of(&counted));
        (said != counted).then(|| Drift { agent: agent.clone(), name: name.clone(), said, counted })
    });
    Ok(drift.collect())
}

fn read(tx: &WriteTx<'_>, sql: &str, agent: &AgentId) -> Result<BTreeMap<String, i64>> {
    let mut statement = tx.prepare(sql)?;
    let rows = statement.query_map([agent.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

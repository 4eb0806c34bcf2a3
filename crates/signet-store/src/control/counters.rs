//! `counters`: how many rows there are, kept by triggers, so that status never counts.

use signet_model::AgentId;

use crate::{ReadTx, Result};

/// Counts of one agent, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Live memories.
    pub live: u64,
    /// Deleted memories that are not purged yet.
    pub deleted: u64,
    /// Stored vectors.
    pub embeddings: u64,
    /// Texts that wait for a vector.
    pub pending: u64,
    /// Texts that were set aside after their last attempt to get one.
    pub quarantined: u64,
}

impl Counters {
    /// Takes one row in; names that are not shown here are passed over.
    fn take(&mut self, name: &str, value: i64) {
        // A count below zero is a drift of the triggers; `signet rebuild` counts anew.
        let value = u64::try_from(value).unwrap_or(0);
        match name {
            "memories.live" => self.live = value,
            "memories.deleted" => self.deleted = value,
            "embeddings" => self.embeddings = value,
            "embedding_work.pending" => self.pending = value,
            "embedding_work.quarantined" => self.quarantined = value,
            _ => {}
        }
    }
}

/// Counts of one agent; zeros for one that has no rows.
pub fn of_agent(tx: &ReadTx<'_>, agent: &AgentId) -> Result<Counters> {
    const SQL: &str = "SELECT name, value FROM counters WHERE agent_id = ?1 LIMIT 100";
    let mut counters = Counters::default();
    let mut statement = tx.prepare(SQL)?;
    let mut rows = statement.query([agent.as_str()])?;
    while let Some(row) = rows.next()? {
        counters.take(row.get_ref(0)?.as_str().unwrap_or_default(), row.get(1)?);
    }
    Ok(counters)
}

/// The store as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Counts over all agents.
    pub counters: Counters,
    /// Registered agents.
    pub agents: u64,
    /// Size of the database file without its log, in bytes.
    pub database_bytes: u64,
    /// Bytes of it that are free for new rows.
    pub free_bytes: u64,
}

/// Counts over all agents, and the size of the file. The cost grows with the number of agents only.
pub fn totals(tx: &ReadTx<'_>) -> Result<Totals> {
    const SUM: &str = "SELECT c.name, SUM(c.value) FROM agents a JOIN counters c ON c.agent_id = a.id
        GROUP BY c.name LIMIT 100";
    const AGENTS: &str = "SELECT COUNT(*) FROM agents";
    let mut counters = Counters::default();
    let mut statement = tx.prepare(SUM)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        counters.take(row.get_ref(0)?.as_str().unwrap_or_default(), row.get(1)?);
    }
    let number = |sql: &str| -> Result<u64> {
        let value: i64 = tx.prepare(sql)?.query_row([], |row| row.get(0))?;
        Ok(u64::try_from(value).unwrap_or(0))
    };
    let page = number("PRAGMA page_size")?;
    Ok(Totals {
        counters,
        agents: number(AGENTS)?,
        database_bytes: page * number("PRAGMA page_count")?,
        free_bytes: page * number("PRAGMA freelist_count")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestStore, plan};

    const ROWS: &str = "
        INSERT INTO agents (id, no, name, created_at, updated_at) VALUES ('b', 2, 'b', '', '');
        INSERT INTO memories (rid, agent_id, id, content, content_hash, normalized_content, created_at, updated_at, updated_by)
          VALUES (1, 'default', 'm1', 'one', 'h1', 'one', '2026-03-04T14:25:00.000Z', '2026-03-04T14:25:00.000Z', 't'),
                 (2, 'default', 'm2', 'two', 'h2', 'two', '2026-03-04T14:25:00.000Z', '2026-03-04T14:25:00.000Z', 't'),
                 (3, 'b', 'm1', 'one', 'h1', 'one', '2026-03-04T14:25:00.000Z', '2026-03-04T14:25:00.000Z', 't');
        UPDATE memories SET is_deleted = 1, deleted_at = '2026-03-04T14:25:00.000Z' WHERE rid = 2;
        UPDATE embedding_work SET state = 'quarantined' WHERE agent_id = 'b';";

    #[test]
    fn each_agent_has_its_own_counts_and_the_totals_are_their_sum() {
        let store = TestStore::new();
        store.raw().execute_batch(ROWS).unwrap();
        let (own, other, unknown, totals) = store
            .reader()
            .read_blocking(|tx| {
                let of = |agent: &str| of_agent(tx, &AgentId::from(agent));
                Ok((of("default")?, of("b")?, of("nobody")?, totals(tx)?))
            })
            .unwrap();
        assert_eq!(own, Counters { live: 1, deleted: 1, pending: 1, ..Counters::default() });
        assert_eq!(other, Counters { live: 1, quarantined: 1, ..Counters::default() });
        assert_eq!(unknown, Counters::default());
        assert_eq!(
            totals.counters,
            Counters { live: 2, deleted: 1, embeddings: 0, pending: 1, quarantined: 1 }
        );
        assert_eq!(totals.agents, 2);
        assert!(totals.database_bytes > totals.free_bytes);
    }

    #[test]
    fn no_count_walks_a_table_that_grows() {
        let store = TestStore::new();
        plan::assert_no_scan(&store.raw(), "SELECT name, value FROM counters WHERE agent_id = ?1 LIMIT 100");
        plan::assert_no_scan(
            &store.raw(),
            "SELECT c.name, SUM(c.value) FROM agents JOIN counters c ON c.agent_id = agents.id GROUP BY c.name",
        );
    }
}

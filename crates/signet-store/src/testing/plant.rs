//! Rows put into the database past the rules of evidence, for tests of what is derived from them. The
//! triggers of the schema run as always.

use rusqlite::params;
use signet_model::{AgentId, Clock, MemoryId};

use crate::testing::TestStore;

/// An isolated agent with the next number.
pub fn agent(store: &TestStore, id: &str) -> AgentId {
    const SQL: &str = "INSERT INTO agents (id, no, name, created_at, updated_at)
        SELECT ?1, max(no) + 1, ?1, ?2, ?2 FROM agents";
    store.raw().execute(SQL, params![id, store.clock.now().to_string()]).expect("agent");
    AgentId::new(id)
}

/// A live memory with this text; its content hash is the text itself.
pub fn memory(store: &TestStore, agent: &AgentId, text: &str) -> MemoryId {
    memories(store, agent, &[text]).remove(0)
}

/// Live memories, oldest first, in one transaction.
pub fn memories(store: &TestStore, agent: &AgentId, texts: &[&str]) -> Vec<MemoryId> {
    const RID: &str =
        "UPDATE agents SET next_seq = next_seq + 1 WHERE id = ?1 RETURNING (no << 40) | (next_seq - 1)";
    const ROW: &str = "INSERT INTO memories (rid, agent_id, id, content, content_hash, normalized_content,
          created_at, updated_at, updated_by)
        VALUES (?1, ?2, ?3, ?4, ?4, ?4, ?5, ?5, 'test')";
    let connection = store.raw();
    let now = store.clock.now().to_string();
    connection.execute_batch("BEGIN IMMEDIATE").expect("begin");
    let planted = texts.iter().map(|text| {
        let rid: i64 = connection.query_row(RID, [agent.as_str()], |row| row.get(0)).expect("row id");
        let id = store.ids().mint();
        connection.execute(ROW, params![rid, agent.as_str(), id, text, now]).expect("memory");
        MemoryId::new(id)
    });
    let planted = planted.collect();
    connection.execute_batch("COMMIT").expect("commit");
    planted
}

/// Marks a memory as deleted.
pub fn forget(store: &TestStore, agent: &AgentId, memory: &MemoryId) {
    const SQL: &str = "UPDATE memories SET is_deleted = 1, deleted_at = ?3 WHERE agent_id = ?1 AND id = ?2";
    let now = store.clock.now().to_string();
    store.raw().execute(SQL, params![agent.as_str(), memory.as_str(), now]).expect("forget");
}

/// Gives a memory another text.
pub fn edit(store: &TestStore, agent: &AgentId, memory: &MemoryId, text: &str) {
    const SQL: &str =
        "UPDATE memories SET content = ?3, content_hash = ?3, version = version + 1, updated_at = ?4
        WHERE agent_id = ?1 AND id = ?2";
    let now = store.clock.now().to_string();
    store.raw().execute(SQL, params![agent.as_str(), memory.as_str(), text, now]).expect("edit");
}

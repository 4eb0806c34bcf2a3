//! Answers of requests with an `idempotency-key`, kept for 24 hours.

use rusqlite::OptionalExtension;
use signet_model::{AgentId, MemoryId};

use crate::{ReadTx, Result, WriteTx};

/// How long an answer is repeated, in milliseconds.
pub const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// What names one request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// Agent the request wrote for.
    pub agent: AgentId,
    /// Route template.
    pub route: &'static str,
    /// The caller's key.
    pub key: String,
}

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// SHA-256 of query and body, lower-case hex.
    pub body_hash: String,
    /// HTTP status.
    pub status: u16,
    /// JSON text of the answer.
    pub answer: String,
}

/// The answer kept for `key` since 24 hours before `now`.
pub fn find_answer(
    tx: &ReadTx<'_>,
    key: &RequestKey,
    now: signet_model::Timestamp,
) -> Result<Option<KeptAnswer>> {
    const SQL: &str = "SELECT body_hash, status, answer_json FROM idempotency_keys
        WHERE agent_id = ?1 AND route = ?2 AND key = ?3 AND created_at > ?4 LIMIT 1";
    let since = now.plus_millis(-KEPT_MS).to_string();
    let found = tx.prepare(SQL)?.query_row((key.agent.as_str(), key.route, &key.key, since), |row| {
        Ok(KeptAnswer { body_hash: row.get(0)?, status: row.get(1)?, answer: row.get(2)? })
    });
    Ok(found.optional()?)
}

/// Keeps an answer, and drops a batch of those that are too old.
pub fn insert_answer(tx: &WriteTx<'_>, key: &RequestKey, kept: &KeptAnswer) -> Result<()> {
    const SQL: &str = "INSERT OR REPLACE INTO idempotency_keys
        (agent_id, key, route, body_hash, status, answer_json, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    const PRUNE: &str = "DELETE FROM idempotency_keys WHERE (agent_id, route, key) IN (
        SELECT agent_id, route, key FROM idempotency_keys WHERE agent_id = ?1 AND created_at <= ?2 LIMIT 100)";
    let agent = key.agent.as_str();
    tx.execute(PRUNE, (agent, tx.now().plus_millis(-KEPT_MS).to_string()))?;
    let now = tx.now().to_string();
    tx.execute(SQL, (agent, &key.key, key.route, &kept.body_hash, kept.status, &kept.answer, now))?;
    Ok(())
}

/// Drops every kept answer that names a memory, and says how many. An answer may repeat the memory's
/// text, which must not outlive it.
pub(crate) fn drop_answers_naming(tx: &WriteTx<'_>, agent: &AgentId, id: &MemoryId) -> Result<usize> {
    const SQL: &str = "DELETE FROM idempotency_keys WHERE agent_id = ?1 AND instr(answer_json, ?2) > 0";
    // An id has no letter that JSON escapes, so its quotes end it.
    tx.execute(SQL, (agent.as_str(), format!("\"{}\"", id.as_str())))
}

/// Drops every kept answer of an agent, and says how many.
pub(crate) fn drop_answers(tx: &WriteTx<'_>, agent: &AgentId) -> Result<usize> {
    tx.execute("DELETE FROM idempotency_keys WHERE agent_id = ?1", [agent.as_str()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestStore;

    #[test]
    fn answers_that_name_a_memory_go_and_others_stay() {
        let store = TestStore::new();
        let keep = |agent: &str, key: &str, answer: &str| {
            let key = RequestKey { agent: AgentId::from(agent), route: "/api/x", key: key.to_owned() };
            let kept = KeptAnswer { body_hash: "h".to_owned(), status: 200, answer: answer.to_owned() };
            store.writer().write_blocking(move |tx| insert_answer(tx, &key, &kept)).expect("written");
        };
        keep("alice", "one", r#"{"id":"m1","content":"secret"}"#);
        keep("alice", "batch", r#"{"results":[{"id":"m0"},{"id":"m1"}]}"#);
        keep("alice", "longer id", r#"{"id":"m12"}"#);
        keep("bob", "one", r#"{"id":"m1"}"#);
        let dropped = store
            .writer()
            .write_blocking(|tx| drop_answers_naming(tx, &"alice".into(), &MemoryId::from("m1")))
            .expect("dropped");
        assert_eq!((dropped, store.number("SELECT count(*) FROM idempotency_keys")), (2, 2));
        let all = store.writer().write_blocking(|tx| drop_answers(tx, &"alice".into())).expect("dropped");
        assert_eq!((all, store.number("SELECT count(*) FROM idempotency_keys")), (1, 1));
    }

    #[test]
    fn an_answer_is_found_for_a_day_by_its_agent_only() {
        let store = TestStore::new();
        let key = RequestKey { agent: AgentId::from("alice"), route: "/api/x", key: "k".to_owned() };
        let kept = KeptAnswer { body_hash: "h".to_owned(), status: 201, answer: "{}".to_owned() };
        let (k, a) = (key.clone(), kept.clone());
        store.writer().write_blocking(move |tx| insert_answer(tx, &k, &a)).expect("written");
        let find = |key: RequestKey, after: i64| {
            let now = store.ids().now().plus_millis(after);
            store.reader().read_blocking(move |tx| find_answer(tx, &key, now)).expect("read")
        };
        assert_eq!(find(key.clone(), KEPT_MS - 1), Some(kept));
        assert_eq!(find(key.clone(), KEPT_MS), None);
        assert_eq!(find(RequestKey { agent: AgentId::from("bob"), ..key.clone() }, 0), None);

        store.clock.advance(KEPT_MS);
        let other = RequestKey { key: "l".to_owned(), ..key };
        let fresh = KeptAnswer { body_hash: "h".to_owned(), status: 200, answer: "{}".to_owned() };
        store.writer().write_blocking(move |tx| insert_answer(tx, &other, &fresh)).expect("written");
        assert_eq!(store.number("SELECT count(*) FROM idempotency_keys"), 1);
    }
}

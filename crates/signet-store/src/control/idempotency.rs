//! Answers of requests with an `idempotency-key`, kept for 24 hours.

use rusqlite::OptionalExtension;
use signet_model::AgentId;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestStore;

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

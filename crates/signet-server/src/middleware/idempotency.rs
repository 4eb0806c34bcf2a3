//! `idempotency-key`: the same key and body within 24 hours get the first answer again.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::HeaderMap;
use sha2::{Digest, Sha256};
use signet_model::text::normal::hex;
use signet_model::{AgentScope, Code, Error, Permission};
use signet_store::control::idempotency::{KeptAnswer, RequestKey, find_answer, insert_answer};

use super::said::header;
use crate::AppState;
use crate::cx::Reply;
use crate::route::{Access, Route, Verb};

const KEY_MAX: usize = 255;

/// Keys whose request is running; a second one waits for the first.
#[derive(Debug, Default)]
pub struct InFlight {
    locks: Mutex<HashMap<RequestKey, Arc<tokio::sync::Mutex<()>>>>,
}

/// One request with a key.
#[derive(Debug, Clone)]
pub struct Keyed {
    key: RequestKey,
    body_hash: String,
}

/// The key of a request, when it sent one and the route creates something.
pub fn of(
    route: &Route,
    headers: &HeaderMap,
    scope: &AgentScope,
    sent: (&str, &[u8]),
) -> Result<Option<Keyed>, Error> {
    let Some(key) = header(headers, "idempotency-key").filter(|_| creates(route)) else { return Ok(None) };
    if key.chars().count() > KEY_MAX {
        let rule = format!("idempotency-key must be at most {KEY_MAX} characters long");
        return Err(Error::field("idempotency-key", rule));
    }
    let (query, body) = sent;
    let digest = Sha256::new().chain_update(query).chain_update([0]).chain_update(body).finalize();
    let key = RequestKey { agent: scope.agent().clone(), route: route.path, key: key.to_owned() };
    Ok(Some(Keyed { key, body_hash: hex(&digest) }))
}

/// Credentials are left out: their answers hold a secret that must not be stored.
fn creates(route: &Route) -> bool {
    let writes = [
        Permission::Remember,
        Permission::Modify,
        Permission::Forget,
        Permission::Recover,
        Permission::Documents,
        Permission::Connectors,
    ];
    route.method == Verb::Post
        && writes.into_iter().any(|permission| route.access == Access::Needs(permission))
}

/// Runs `work` unless its answer is kept: then that one is given again, or 409 for another body.
/// Only successes are kept; a refused request may be corrected and sent again.
pub async fn once<F>(state: &AppState, keyed: &Keyed, work: F) -> Result<Reply, Error>
where
    F: Future<Output = Result<Reply, Error>>,
{
    let lock = state.gate.in_flight.lock_of(&keyed.key);
    let outcome = async {
        let _running = lock.lock().await;
        if let Some(kept) = find(state, keyed).await? {
            return repeat(&kept, keyed);
        }
        let reply = work.await?;
        keep(state, keyed, &reply).await;
        Ok(reply)
    };
    let outcome = outcome.await;
    drop(lock);
    state.gate.in_flight.forget(&keyed.key);
    outcome
}

async fn find(state: &AppState, keyed: &Keyed) -> Result<Option<KeptAnswer>, Error> {
    let (key, now) = (keyed.key.clone(), state.clock.now());
    Ok(state.reader.read(move |tx| find_answer(tx, &key, now)).await?)
}

fn repeat(kept: &KeptAnswer, keyed: &Keyed) -> Result<Reply, Error> {
    if kept.body_hash != keyed.body_hash {
        return Err(Error::new(Code::IdempotencyMismatch, "this idempotency-key was used with another body")
            .hint("use a new key for a new request"));
    }
    let body = serde_json::from_str(&kept.answer).map_err(Error::internal)?;
    Ok(Reply { status: kept.status, body })
}

async fn keep(state: &AppState, keyed: &Keyed, reply: &Reply) {
    let kept = KeptAnswer {
        body_hash: keyed.body_hash.clone(),
        status: reply.status,
        answer: reply.body.to_string(),
    };
    let key = keyed.key.clone();
    if let Err(error) = state.writer.write(move |tx| insert_answer(tx, &key, &kept)).await {
        // The work is done and committed: its answer goes out, a repeat will find the stored row.
        tracing::error!(%error, "the answer of an idempotent request could not be kept");
    }
}

impl InFlight {
    fn lock_of(&self, key: &RequestKey) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(locks.entry(key.clone()).or_default())
    }

    fn forget(&self, key: &RequestKey) {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if locks.get(key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(key);
        }
    }
}

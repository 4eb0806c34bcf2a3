//! Keys and revocations held in memory, so that no request waits for the database to be let in.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use signet_model::{Error, Timestamp};
use signet_store::Reader;
use signet_store::control::keys::{KeyRow, list_keys};
use signet_store::control::tokens::list_revoked;

/// A use is written at most once in this many milliseconds.
const USE_EVERY_MS: i64 = 60_000;
/// Credentials whose last use is remembered; beyond it the memory starts anew.
const USES_MAX: usize = 10_000;

/// Keys by prefix, revoked token ids, and when each credential was last noted.
#[derive(Debug, Default)]
pub struct Registry {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    keys: HashMap<String, KeyRow>,
    revoked: HashSet<String>,
    uses: HashMap<String, Timestamp>,
}

impl Registry {
    /// Reads what the database holds.
    pub async fn load(reader: &Reader, now: Timestamp) -> Result<Self, Error> {
        let (keys, revoked) = reader.read(move |tx| Ok((list_keys(tx)?, list_revoked(tx, now)?))).await?;
        let registry = Self::default();
        for key in keys {
            registry.put_key(key);
        }
        for jti in &revoked {
            registry.revoke_token(jti);
        }
        Ok(registry)
    }

    /// Adds a key, or puts its new state in place of the old.
    pub fn put_key(&self, key: KeyRow) {
        self.lock().keys.insert(key.prefix.clone(), key);
    }

    /// The key of a prefix.
    pub fn key(&self, prefix: &str) -> Option<KeyRow> {
        self.lock().keys.get(prefix).cloned()
    }

    /// The key of an id.
    pub fn key_of_id(&self, id: &str) -> Option<KeyRow> {
        self.lock().keys.values().find(|key| key.id == id).cloned()
    }

    /// From now on the token is refused.
    pub fn revoke_token(&self, jti: &str) {
        self.lock().revoked.insert(jti.to_owned());
    }

    /// Whether the token was revoked.
    pub fn is_revoked(&self, jti: &str) -> bool {
        self.lock().revoked.contains(jti)
    }

    /// Whether this use shall be written: the first one, and then at most one a minute.
    pub fn notes_use(&self, credential: &str, now: Timestamp) -> bool {
        let mut inner = self.lock();
        let due = inner.uses.get(credential).is_none_or(|last| now.millis() - last.millis() >= USE_EVERY_MS);
        if due {
            if inner.uses.len() >= USES_MAX {
                inner.uses.clear();
            }
            inner.uses.insert(credential.to_owned(), now);
        }
        due
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is one insert, so a panic elsewhere leaves nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_noted_once_a_minute() {
        let registry = Registry::default();
        let at = Timestamp::from_millis;
        assert!(registry.notes_use("a", at(0)));
        assert!(!registry.notes_use("a", at(59_999)));
        assert!(registry.notes_use("b", at(59_999)));
        assert!(registry.notes_use("a", at(60_000)));
    }
}

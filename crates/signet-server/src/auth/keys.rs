//! API keys: `sig_sk_<12 hex prefix>_<base64url of 32 random bytes>`.

use sha2::{Digest, Sha256};
use signet_model::text::normal::hex;
use signet_model::{Code, Error, Timestamp};
use signet_store::control::keys::KeyRow;
use subtle::ConstantTimeEq;

use super::token::{random_text, refused};

/// What every key begins with.
pub const LEAD: &str = "sig_sk_";
const PREFIX_LEN: usize = 12;
const SECRET_LEN: usize = 43;

/// A new key: its prefix and its whole text, which is shown once.
pub fn mint() -> Result<(String, String), Error> {
    let mut prefix = [0_u8; PREFIX_LEN / 2];
    getrandom::fill(&mut prefix).map_err(Error::internal)?;
    let prefix = hex(&prefix);
    let key = format!("{LEAD}{prefix}_{}", random_text::<32>()?);
    Ok((prefix, key))
}

/// SHA-256 of the whole key, lower-case hex.
pub fn hash(key: &str) -> String {
    hex(&Sha256::digest(key.as_bytes()))
}

/// The prefix of a well-formed key, or 401 `malformed api key`.
pub fn prefix(key: &str) -> Result<&str, Error> {
    let malformed = || refused(Code::MalformedApiKey, "malformed api key");
    let rest = key.strip_prefix(LEAD).ok_or_else(malformed)?;
    let (prefix, secret) = rest.split_once('_').ok_or_else(malformed)?;
    let is_hex = prefix.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let is_base64 = secret.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if prefix.len() == PREFIX_LEN && is_hex && secret.len() == SECRET_LEN && is_base64 {
        Ok(prefix)
    } else {
        Err(malformed())
    }
}

/// Checks a key against the row of its prefix; hashes are compared in constant time.
pub fn check(row: Option<&KeyRow>, key: &str, now: Timestamp) -> Result<(), Error> {
    let invalid = || refused(Code::InvalidApiKey, "invalid api key");
    let row = row.ok_or_else(invalid)?;
    if !bool::from(hash(key).as_bytes().ct_eq(row.key_hash.as_bytes())) {
        return Err(invalid());
    }
    check_life(Some(row), now)
}

/// Whether the key is still good, for a caller that showed something made from it.
pub fn check_life(row: Option<&KeyRow>, now: Timestamp) -> Result<(), Error> {
    let row = row.ok_or_else(|| refused(Code::InvalidApiKey, "invalid api key"))?;
    if row.revoked_at.is_some() {
        return Err(refused(Code::ApiKeyRevoked, "api key revoked"));
    }
    if row.expires_at.is_some_and(|at| at <= now) {
        return Err(refused(Code::ApiKeyExpired, "api key expired"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use signet_model::Role;
    use signet_store::control::credential::CredentialScope;

    use super::*;

    fn row(prefix: &str, key: &str) -> KeyRow {
        KeyRow {
            id: "key_a".to_owned(),
            prefix: prefix.to_owned(),
            name: "ci".to_owned(),
            key_hash: hash(key),
            role: Role::Agent,
            scope: CredentialScope::default(),
            permissions: None,
            connector: None,
            harness: None,
            agent: None,
            allowed_projects: None,
            created_at: Timestamp::from_millis(0),
            last_used_at: None,
            revoked_at: None,
            expires_at: None,
        }
    }

    fn sentence(result: Result<(), Error>) -> String {
        result.expect_err("refused").message
    }

    #[test]
    fn a_minted_key_checks_and_another_does_not() {
        let (minted, key) = mint().expect("random bytes");
        assert_eq!(prefix(&key).expect("well formed"), minted);
        let now = Timestamp::from_millis(5);
        let row = row(&minted, &key);
        assert_eq!(check(Some(&row), &key, now), Ok(()));
        let (_, other) = mint().expect("random bytes");
        assert_eq!(sentence(check(Some(&row), &other, now)), "invalid api key");
        assert_eq!(sentence(check(None, &key, now)), "invalid api key");
        let revoked = KeyRow { revoked_at: Some(now), ..row.clone() };
        assert_eq!(sentence(check(Some(&revoked), &key, now)), "api key revoked");
        let expired = KeyRow { expires_at: Some(now), ..row };
        assert_eq!(sentence(check(Some(&expired), &key, now)), "api key expired");
    }

    #[test]
    fn other_forms_are_malformed() {
        let long = format!("sig_sk_0123456789ab_{}", "x".repeat(44));
        for key in ["sig_sk_", "sig_sk_abc_def", "sk_0123456789ab_", &long, "sig_sk_0123456789AB_"] {
            assert_eq!(prefix(key).expect_err("refused").message, "malformed api key", "{key}");
        }
    }
}

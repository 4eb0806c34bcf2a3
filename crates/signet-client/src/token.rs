//! Signing a bearer token with the machine's secret.
//!
//! Form: `base64url(JSON claims) "." base64url(HMAC-SHA256(secret, first part))`, unpadded.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// What a self-signed token claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// Who, for the audit trail.
    pub subject: String,
    /// Role word: admin, operator, agent, readonly.
    pub role: String,
    /// Issued at, Unix seconds.
    pub issued_at: u64,
    /// Life in seconds.
    pub ttl: u64,
}

/// The token of the claims, without any scope. The daemon accepts it when `secret` is its own.
pub fn sign(secret: &[u8], claims: &Claims) -> String {
    let body = serde_json::json!({
        "sub": claims.subject,
        "scope": {},
        "role": claims.role,
        "iat": claims.issued_at,
        "exp": claims.issued_at.saturating_add(claims.ttl),
    });
    let head = URL_SAFE_NO_PAD.encode(body.to_string());
    // A key of any length is accepted by HMAC, so this cannot fail; an unsigned token would be refused anyway.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return head };
    mac.update(head.as_bytes());
    let tail = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
    format!("{head}.{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_form_is_stable() {
        let claims =
            Claims { subject: "cli:ada".into(), role: "admin".into(), issued_at: 1_700_000_000, ttl: 60 };
        let token = sign(&[7; 32], &claims);
        let (head, tail) = token.split_once('.').unwrap();
        let json = String::from_utf8(URL_SAFE_NO_PAD.decode(head).unwrap()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"sub": "cli:ada", "scope": {}, "role": "admin", "iat": 1_700_000_000, "exp": 1_700_000_060})
        );
        assert_eq!(URL_SAFE_NO_PAD.decode(tail).unwrap().len(), 32);
        assert_ne!(token, sign(&[8; 32], &claims));
    }
}

//! Signed tokens: `base64url(claims) . base64url(HMAC-SHA256)`. Not a JWT.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use signet_model::{Code, Error, Permission, Role, Timestamp};
use signet_store::control::credential::CredentialScope;

/// Longest token in bytes.
const MAX_BYTES: usize = 4096;
/// How far ahead of our clock a token may have been made, in seconds.
const SKEW_SECONDS: i64 = 60;
/// Longest life of a token in seconds: one year.
pub const MAX_TTL_SECONDS: i64 = 31_536_000;

/// The signing secret. Its `Debug` form shows nothing.
#[derive(Clone)]
pub struct Secret([u8; 64]);

impl Secret {
    /// Wraps the bytes of `.daemon/auth-secret`.
    pub fn new(bytes: [u8; 32]) -> Self {
        // HMAC itself fills a shorter key with zeros up to the block of the hash; done here, the key has
        // its full length and cannot be refused.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&bytes);
        Self(block)
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as Mac>::new(&self.0.into());
        mac.update(text.as_bytes());
        mac
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// What a token says, as it stands in the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Subject.
    pub sub: String,
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Restrictions.
    #[serde(default)]
    pub scope: CredentialScope,
    /// Role word.
    pub role: String,
    /// Words that narrow the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// Made at, Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iat: Option<i64>,
    /// Ends at, Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exp: Option<i64>,
    /// Id for revocation; tokens of older makers have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jti: Option<String>,
}

/// A token whose signature, form and time are right. Whether it was revoked is not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The claims as they stand in the token.
    pub claims: Claims,
    /// Role.
    pub role: Role,
    /// List that narrows the role.
    pub permissions: Option<Vec<Permission>>,
    /// Made at.
    pub issued_at: Timestamp,
    /// Ends at.
    pub expires_at: Timestamp,
}

/// Signs claims.
pub fn sign(secret: &Secret, claims: &Claims) -> Result<String, Error> {
    let payload = URL_SAFE_NO_PAD.encode(serde_json::to_vec(claims).map_err(Error::internal)?);
    let signature = URL_SAFE_NO_PAD.encode(secret.mac(&payload).finalize().into_bytes());
    Ok(format!("{payload}.{signature}"))
}

/// Checks form, signature (before the claims are parsed, in constant time), claims and times.
pub fn verify(secret: &Secret, token: &str, now: Timestamp) -> Result<Verified, Error> {
    let (payload, signature) =
        halves(token).ok_or_else(|| refused(Code::MalformedToken, "malformed token"))?;
    if secret.mac(payload).verify_slice(&signature).is_err() {
        return Err(refused(Code::InvalidSignature, "invalid signature"));
    }
    let malformed = || refused(Code::MalformedPayload, "malformed payload");
    let bytes = URL_SAFE_NO_PAD.decode(payload).map_err(|_| malformed())?;
    let claims: Claims = serde_json::from_slice(&bytes).map_err(|_| malformed())?;
    let role = Role::parse(&claims.role).ok_or_else(malformed)?;
    let permissions = match &claims.permissions {
        Some(words) => Some(
            words.iter().map(|word| Permission::parse(word)).collect::<Option<_>>().ok_or_else(malformed)?,
        ),
        None => None,
    };
    let (Some(iat), Some(exp)) = (claims.iat, claims.exp) else {
        return Err(refused(Code::MissingTimestamps, "missing timestamps"));
    };
    let seconds = now.millis().div_euclid(1000);
    if iat > seconds + SKEW_SECONDS {
        return Err(malformed());
    }
    if exp <= seconds {
        return Err(refused(Code::TokenExpired, "token expired"));
    }
    let at = |seconds: i64| Timestamp::from_millis(seconds.saturating_mul(1000));
    Ok(Verified { claims, role, permissions, issued_at: at(iat), expires_at: at(exp) })
}

fn halves(token: &str) -> Option<(&str, Vec<u8>)> {
    if token.len() > MAX_BYTES {
        return None;
    }
    let (payload, signature) = token.split_once('.')?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    (!payload.is_empty() && !signature.is_empty()).then_some((payload, signature))
}

pub(crate) fn refused(code: Code, sentence: &str) -> Error {
    Error::new(code, sentence)
}

/// `n` random bytes as unpadded base64url.
pub(crate) fn random_text<const N: usize>() -> Result<String, Error> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests;

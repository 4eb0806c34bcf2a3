//! Credential, permission and rate: who may call a route, and how often.

use axum::http::HeaderMap;
use signet_model::{Code, Detail, Error, Timestamp};
use signet_store::control::keys::touch_key;
use signet_store::control::tokens::{TokenRow, record_token};

use super::link::Link;
use super::rate::Caller;
use super::{is_open, or_anonymous};
use crate::AppState;
use crate::auth::principal::{Checks, Principal, identify as identify_caller};
use crate::auth::token::Claims;
use crate::input::Input;
use crate::route::{Access, Rate, Route};

/// Failures of a peer in a minute before its 401s are delayed.
const PATIENT_FAILURES: u32 = 10;
/// Tokens of a shorter life get no row: the command line signs one per call.
const ROW_FROM_SECONDS: i64 = 300;

/// The principal of the request; 401 where the route needs one and there is none.
pub async fn identify(
    state: &AppState,
    headers: &HeaderMap,
    link: Link,
    route: &Route,
) -> Result<Principal, Error> {
    let now = state.clock.now();
    let checks = Checks {
        config: &state.config,
        secret: &state.gate.secret,
        registry: &state.gate.registry,
        os_user: &state.info.os_user,
        now,
    };
    let found = identify_caller(&checks, headers, link);
    let failure = match &found {
        Ok(principal) => principal.error.as_ref(),
        Err(error) => (error.code != Code::AuthenticationRequired).then_some(&error.message),
    };
    if let Some(sentence) = failure {
        failed(state, link, now, sentence).await?;
    }
    match found {
        Ok(principal) => {
            note_use(state, &principal, now);
            Ok(principal)
        }
        found if is_open(route) => Ok(or_anonymous(found)),
        Err(error) => Err(error),
    }
}

/// Guessing is slowed down, then refused, per peer.
async fn failed(state: &AppState, link: Link, now: Timestamp, sentence: &str) -> Result<(), Error> {
    let peer = link.peer_ip().to_string();
    if state.gate.registry.notes_use(&format!("failed:{peer}"), now) {
        tracing::warn!(peer, sentence, "a credential does not verify");
    }
    let overrides = &state.gate.live.rules().rate_limits;
    let caller = Caller { subject: &peer, overrides, now };
    let failures = state.gate.windows.count(caller, Rate::FailedCredential)?;
    if failures > PATIENT_FAILURES {
        tokio::time::sleep(state.config.failed_credential_delay).await;
    }
    Ok(())
}

/// Writes the last use in the background; a lost one does no harm.
fn note_use(state: &AppState, principal: &Principal, now: Timestamp) {
    let Some(claims) = &principal.claims else { return };
    let writer = state.writer.clone();
    if let Some(id) = principal.subject.strip_prefix("api-key:") {
        if state.gate.registry.notes_use(&principal.subject, now) {
            let id = id.to_owned();
            drop(state.gate.life.tasks.spawn(async move {
                if let Err(error) = writer.write(move |tx| touch_key(tx, &id)).await {
                    tracing::warn!(%error, "the use of a key could not be noted");
                }
            }));
        }
        return;
    }
    let Some(row) = token_row(claims, principal, now) else { return };
    if state.gate.registry.notes_use(&row.jti, now) {
        drop(state.gate.life.tasks.spawn(async move {
            if let Err(error) = writer.write(move |tx| record_token(tx, &row)).await {
                tracing::warn!(%error, "the use of a token could not be noted");
            }
        }));
    }
}

/// The row of a token, also of one that was signed while the daemon was stopped.
fn token_row(claims: &Claims, principal: &Principal, now: Timestamp) -> Option<TokenRow> {
    let (jti, iat, exp) = (claims.jti.clone()?, claims.iat?, claims.exp?);
    (exp - iat >= ROW_FROM_SECONDS).then(|| TokenRow {
        jti,
        sub: claims.sub.clone(),
        role: principal.role,
        scope: claims.scope.clone(),
        created_at: Timestamp::from_millis(iat * 1000),
        expires_at: Timestamp::from_millis(exp * 1000),
        revoked_at: None,
        last_used_at: Some(now),
        created_by: "offline".to_owned(),
    })
}

/// 403 unless the principal holds what the route needs.
pub fn check(principal: &Principal, route: &Route) -> Result<(), Error> {
    let Access::Needs(permission) = route.access else { return Ok(()) };
    if principal.allows(permission) {
        return Ok(());
    }
    let word = permission.as_str();
    let sentence = if principal.permissions.is_some() && principal.role.allows(permission) {
        format!("credential lacks '{word}' permission")
    } else {
        format!("role '{}' lacks '{word}' permission", principal.role.as_str())
    };
    Err(Error::new(Code::PermissionDenied, sentence).with("permission", Detail::Text(word.to_owned())))
}

/// Counts the call in the windows of its classes; over one of them is 429.
pub fn count(
    state: &AppState,
    principal: &Principal,
    link: Link,
    route: &Route,
    input: &Input,
) -> Result<(), Error> {
    let rules = state.gate.live.rules();
    let windows = &state.gate.windows;
    let caller = |subject| Caller { subject, overrides: &rules.rate_limits, now: state.clock.now() };
    let peer = link.peer_ip().to_string();
    if route.rate == Rate::Handoff {
        // Guessing a code is limited for everybody, the person at the machine included.
        windows.count(caller(&peer), Rate::Handoff)?;
        return Ok(());
    }
    if principal.trusted_local {
        return Ok(());
    }
    let subject = if principal.authenticated { &principal.subject } else { &peer };
    windows.count(caller(subject), route.rate)?;
    if matches!(route.rate, Rate::Forget | Rate::BatchForget) && input.flag("force") {
        windows.count(caller(subject), Rate::ForceDelete)?;
    }
    Ok(())
}

//! Who calls: from credential, peer address and mode to a principal.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use signet_model::{Code, Error, Permission, Role, Timestamp};
use signet_store::control::credential::CredentialScope;
use signet_store::control::keys::KeyRow;

use super::keys;
use super::registry::Registry;
use super::token::{Claims, Secret, Verified, refused, verify};
use crate::config::{Mode, ServerConfig};
use crate::middleware::link::Link;

/// Who called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Token subject, `api-key:<id>`, or `local:<os user>`.
    pub subject: String,
    /// Role.
    pub role: Role,
    /// Explicit list that narrows the role.
    pub permissions: Option<Vec<Permission>>,
    /// A loopback caller without credential in local or hybrid mode.
    pub trusted_local: bool,
    /// False only for callers of open routes without a good credential.
    pub authenticated: bool,
    /// What the credential is restricted to.
    pub restriction: Restriction,
    /// Harness or connector the credential belongs to: such a caller is a machine.
    pub bound_to: Option<String>,
    /// What the credential says; `None` for the local principal.
    pub claims: Option<Claims>,
    /// Why a credential that was sent does not count.
    pub error: Option<String>,
}

/// Axes on which a credential is restricted; `None` = not on that axis.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restriction {
    /// Only this agent.
    pub agent: Option<String>,
    /// Only these projects, normalised.
    pub projects: Option<Vec<String>>,
    /// Only this user.
    pub user: Option<String>,
}

impl Restriction {
    /// Whether no axis is restricted.
    pub const fn is_empty(&self) -> bool {
        self.agent.is_none() && self.projects.is_none() && self.user.is_none()
    }

    /// The first of the axes project and user that is restricted, with its values. Such a credential
    /// reaches some rows of an agent only, so it administers no agent as a whole.
    pub fn within_agent(&self) -> Option<(&'static str, String)> {
        let project = self.projects.as_ref().map(|projects| ("project", projects.join("', '")));
        project.or_else(|| self.user.as_ref().map(|user| ("user", user.clone())))
    }

    /// Whether a credential restricted to `other` reaches nothing that this restriction does not.
    pub fn holds(&self, other: &Self) -> bool {
        let single = |own: &Option<String>, other: &Option<String>| own.is_none() || own == other;
        let projects = match (&self.projects, &other.projects) {
            (None, _) => true,
            (Some(own), Some(other)) => other.iter().all(|project| own.contains(project)),
            (Some(_), None) => false,
        };
        projects && single(&self.agent, &other.agent) && single(&self.user, &other.user)
    }

    /// The restriction of a key: of its scope, its agent and its list of projects together.
    pub fn of_key(row: &KeyRow) -> Self {
        let mut restriction = Self::of(&row.scope);
        if restriction.agent.is_none() {
            restriction.agent.clone_from(&row.agent);
        }
        if let Some(allowed) = &row.allowed_projects {
            let allowed = allowed.iter().map(|project| signet_model::project::normalise(project));
            // A project scope beside a list of projects restricts to what both hold.
            restriction.projects = Some(match restriction.projects {
                Some(scoped) => allowed.filter(|project| scoped.contains(project)).collect(),
                None => allowed.collect(),
            });
        }
        restriction
    }

    /// The restriction of a credential's scope.
    pub fn of(scope: &CredentialScope) -> Self {
        Self {
            agent: scope.agent.clone(),
            projects: scope.project.as_deref().map(|project| vec![signet_model::project::normalise(project)]),
            user: scope.user.clone(),
        }
    }
}

impl Principal {
    /// Whether role and explicit list both hold the permission.
    pub fn allows(&self, permission: Permission) -> bool {
        self.role.allows(permission)
            && self.permissions.as_ref().is_none_or(|list| list.contains(&permission))
    }

    /// Every permission the principal holds.
    pub fn held(&self) -> Vec<Permission> {
        Permission::ALL.into_iter().filter(|permission| self.allows(*permission)).collect()
    }

    /// A caller of an open route who showed no good credential.
    pub fn anonymous() -> Self {
        Self {
            subject: "anonymous".to_owned(),
            role: Role::Readonly,
            permissions: Some(Vec::new()),
            trusted_local: false,
            authenticated: false,
            restriction: Restriction::default(),
            bound_to: None,
            claims: None,
            error: None,
        }
    }

    /// The person at the machine.
    pub fn local(os_user: &str) -> Self {
        Self {
            subject: format!("local:{os_user}"),
            role: Role::Admin,
            permissions: None,
            trusted_local: true,
            authenticated: true,
            ..Self::anonymous()
        }
    }

    fn of_token(verified: Verified) -> Self {
        Self {
            subject: verified.claims.sub.clone(),
            role: verified.role,
            permissions: verified.permissions,
            authenticated: true,
            restriction: Restriction::of(&verified.claims.scope),
            claims: Some(verified.claims),
            ..Self::anonymous()
        }
    }

    fn of_key(row: &KeyRow) -> Self {
        let restriction = Restriction::of_key(row);
        let subject = format!("api-key:{}", row.id);
        let words = |list: &Vec<Permission>| list.iter().map(|p| p.as_str().to_owned()).collect();
        let claims = Claims {
            sub: subject.clone(),
            name: Some(row.name.clone()),
            scope: CredentialScope { agent: restriction.agent.clone(), ..row.scope.clone() },
            role: row.role.as_str().to_owned(),
            permissions: row.permissions.as_ref().map(words),
            iat: Some(row.created_at.millis().div_euclid(1000)),
            exp: row.expires_at.map(|at| at.millis().div_euclid(1000)),
            jti: None,
        };
        Self {
            subject,
            role: row.role,
            permissions: row.permissions.clone(),
            authenticated: true,
            restriction,
            bound_to: row.harness.clone().or_else(|| row.connector.clone()),
            claims: Some(claims),
            ..Self::anonymous()
        }
    }
}

/// What a credential is checked against.
#[derive(Debug, Clone, Copy)]
pub struct Checks<'a> {
    /// Mode and trust.
    pub config: &'a ServerConfig,
    /// Signing secret.
    pub secret: &'a Secret,
    /// Keys and revocations.
    pub registry: &'a Registry,
    /// Name of the local principal.
    pub os_user: &'a str,
    /// Now.
    pub now: Timestamp,
}

/// The principal of a request, or the 401 that it gets.
pub fn identify(checks: &Checks<'_>, headers: &HeaderMap, link: Link) -> Result<Principal, Error> {
    let trusted = is_trusted(checks, headers, link);
    let outcome = bearer(headers).and_then(|text| text.map(|text| credential(checks, text)).transpose());
    match outcome {
        Ok(Some(principal)) => Ok(principal),
        Ok(None) if trusted => Ok(Principal::local(checks.os_user)),
        Ok(None) => Err(refused(Code::AuthenticationRequired, "authentication required")
            .hint("send `authorization: Bearer <token>`; `signet token create` makes one")),
        // Leaving the credential out would give the same rights, so a stale one does no harm here.
        Err(error) if trusted && checks.config.mode == Mode::Local => {
            Ok(Principal { error: Some(error.message), ..Principal::local(checks.os_user) })
        }
        Err(error) => Err(error),
    }
}

/// Trust comes from the TCP peer and the mode only. A request that was forwarded is remote, whoever
/// forwarded it.
fn is_trusted(checks: &Checks<'_>, headers: &HeaderMap, link: Link) -> bool {
    let mode_trusts = match checks.config.mode {
        Mode::Local => true,
        Mode::Hybrid => checks.config.trust_loopback,
        Mode::Team => false,
    };
    if !mode_trusts || !link.is_loopback() {
        return false;
    }
    let forwarded = ["x-forwarded-for", "forwarded"].into_iter().find(|name| headers.contains_key(*name));
    if let Some(header) = forwarded.filter(|_| checks.registry.notes_use("forwarded", checks.now)) {
        tracing::warn!(header, "a loopback peer forwards requests of others; treated as remote");
    }
    forwarded.is_none()
}

fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Error> {
    let malformed = || refused(Code::MalformedToken, "malformed token");
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(malformed());
    }
    let (scheme, text) =
        value.to_str().ok().and_then(|text| text.trim().split_once(' ')).ok_or_else(malformed)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(text.trim())) } else { Err(malformed()) }
}

fn credential(checks: &Checks<'_>, text: &str) -> Result<Principal, Error> {
    if text.starts_with("sig_") {
        let row = checks.registry.key(keys::prefix(text)?);
        keys::check(row.as_ref(), text, checks.now)?;
        return row.map(|row| Principal::of_key(&row)).ok_or_else(Error::not_found);
    }
    let verified = verify(checks.secret, text, checks.now)?;
    if verified.claims.jti.as_deref().is_some_and(|jti| checks.registry.is_revoked(jti)) {
        return Err(refused(Code::TokenRevoked, "token revoked"));
    }
    if let Some(id) = verified.claims.sub.strip_prefix("api-key:") {
        // A token that a key was exchanged for ends with the key.
        keys::check_life(checks.registry.key_of_id(id).as_ref(), checks.now)?;
    }
    Ok(Principal::of_token(verified))
}

#[cfg(test)]
mod tests;

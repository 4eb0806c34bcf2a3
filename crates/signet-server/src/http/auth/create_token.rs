//! POST /api/auth/token

use signet_model::{Error, Permission, Role};
use signet_store::control::credential::CredentialScope;

use super::issue::{Rights, issue};
use crate::auth::principal::Principal;
use crate::auth::token::MAX_TTL_SECONDS;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::middleware::scope::restricted;

const ROLE_RULE: &str = "role must be one of: admin, operator, agent, readonly";
const NAME: Kind = Kind::Text { min: 1, max: 128 };

/// Words of the roles.
pub(super) const ROLES: &[&str] = &["admin", "operator", "agent", "readonly"];
/// Words of the permissions.
pub(super) const PERMISSIONS: &[&str] = &[
    "remember",
    "recall",
    "modify",
    "forget",
    "recover",
    "documents",
    "connectors",
    "diagnostics",
    "analytics",
    "review",
    "admin",
];
/// Axes of a scope.
pub(super) const SCOPE: &[Field] = &[
    Field::new("project", Kind::Text { min: 1, max: 4096 }, "Only this project."),
    Field::new("agent", Kind::Text { min: 1, max: 64 }, "Only this agent."),
    Field::new("user", NAME, "Only this user."),
];

pub(super) const FIELDS: &[Field] = &[
    Field::new("role", Kind::OneOf(ROLES), "Role.").required(ROLE_RULE).wrong(ROLE_RULE),
    Field::new("scope", Kind::Record(SCOPE), "What the token is restricted to."),
    Field::new("sub", NAME, "Subject; `token:<role>` when absent."),
    Field::new("name", NAME, "Name for people."),
    Field::new("ttlSeconds", Kind::Int { min: 1, max: MAX_TTL_SECONDS }, "Life in seconds."),
    Field::new("permissions", Kind::SomeOf(PERMISSIONS), "List that narrows the role."),
];

pub(super) async fn create_token(cx: Cx) -> Result<Reply, Error> {
    let role = cx.input.text("role").and_then(Role::parse).ok_or_else(|| Error::field("role", ROLE_RULE))?;
    let permissions = cx.input.texts("permissions").map(<[String]>::to_vec);
    within_role(&cx.principal, role, permissions.as_deref())?;
    let rights = Rights {
        sub: cx.input.text("sub").map_or_else(|| format!("token:{}", role.as_str()), str::to_owned),
        name: cx.input.text("name").map(str::to_owned),
        role,
        scope: within_scope(&cx.principal, asked_scope(&cx.input))?,
        permissions,
        maker: cx.principal.subject.clone(),
    };
    let ttl = cx.input.int("ttlSeconds").unwrap_or(cx.state.config.token_ttl_seconds);
    Reply::ok(&issue(&cx, rights, ttl).await?)
}

/// The scope a request asks for.
pub(super) fn asked_scope(input: &Input) -> CredentialScope {
    let axis = |name: &str| input.record("scope").and_then(|scope| scope.text(name)).map(str::to_owned);
    CredentialScope { project: axis("project"), agent: axis("agent"), user: axis("user") }
}

/// A credential may give at most the permissions that its maker holds.
pub(super) fn within_role(maker: &Principal, role: Role, list: Option<&[String]>) -> Result<(), Error> {
    let gives = |permission: &Permission| {
        role.allows(*permission)
            && list.is_none_or(|list| list.iter().any(|word| word == permission.as_str()))
    };
    let beyond = Permission::ALL.into_iter().filter(gives).find(|permission| !maker.allows(*permission));
    beyond.map_or(Ok(()), |permission| {
        let word = permission.as_str();
        Err(Error::new(
            signet_model::Code::PermissionDenied,
            format!("a credential cannot be given '{word}', which its maker lacks"),
        )
        .with("permission", signet_model::Detail::Text(word.to_owned())))
    })
}

/// What is not asked for is filled from the maker's own scope; another value is 403.
pub(super) fn within_scope(maker: &Principal, asked: CredentialScope) -> Result<CredentialScope, Error> {
    let own = &maker.restriction;
    let single = |axis: &'static str, asked: Option<String>, own: Option<&String>| match (asked, own) {
        (Some(asked), Some(own)) if asked != *own => Err(restricted(axis, own)),
        (asked, own) => Ok(asked.or_else(|| own.cloned())),
    };
    let asked_project = asked.project.map(|project| signet_model::project::normalise(&project));
    let project = match (asked_project, own.projects.as_deref()) {
        (Some(asked), Some(own)) if !own.contains(&asked) => {
            return Err(restricted("project", &own.join("', '")));
        }
        (None, Some([only])) => Some(only.clone()),
        (None, Some(several)) => return Err(restricted("project", &several.join("', '"))),
        (asked, _) => asked,
    };
    Ok(CredentialScope {
        project,
        agent: single("agent", asked.agent, own.agent.as_ref())?,
        user: single("user", asked.user, own.user.as_ref())?,
    })
}

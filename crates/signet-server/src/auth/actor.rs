//! Who acted, for the audit trail. A header can lower trust and never raise it.

use signet_model::{Actor, ActorKind, Role};

use super::principal::Principal;

/// What a caller says of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'a> {
    /// `x-signet-actor-type`.
    pub kind: Option<ActorKind>,
    /// `x-signet-actor` or body `changed_by`.
    pub name: Option<&'a str>,
}

/// The actor of a request on `path`.
pub fn actor(principal: &Principal, path: &str, said: Said<'_>) -> Actor {
    let mut actor = Actor::new(&principal.subject, kind(principal, path, said.kind));
    actor.claimed_name = said.name.map(str::to_owned);
    actor
}

fn kind(principal: &Principal, path: &str, said: Option<ActorKind>) -> ActorKind {
    match said {
        // From outside, nobody is the daemon.
        Some(ActorKind::Sdk | ActorKind::Daemon) => ActorKind::Sdk,
        Some(machine @ (ActorKind::Pipeline | ActorKind::Harness)) => machine,
        None | Some(ActorKind::Operator) if is_person(principal, path) => ActorKind::Operator,
        None | Some(ActorKind::Operator) => at_best(principal, path),
    }
}

fn is_person(principal: &Principal, path: &str) -> bool {
    matches!(principal.role, Role::Admin | Role::Operator)
        && principal.bound_to.is_none()
        && !is_machine_path(path)
}

/// Agents speak through /mcp and the hooks, whatever credential they carry.
fn is_machine_path(path: &str) -> bool {
    path == "/mcp" || path.starts_with("/api/hooks") || path.starts_with("/api/hook/")
}

fn at_best(principal: &Principal, path: &str) -> ActorKind {
    if principal.bound_to.is_some() || is_machine_path(path) { ActorKind::Harness } else { ActorKind::Sdk }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn principal(role: Role, bound: Option<&str>) -> Principal {
        Principal { role, bound_to: bound.map(str::to_owned), ..Principal::local("me") }
    }

    fn kind_of(role: Role, bound: Option<&str>, path: &str, said: Option<ActorKind>) -> ActorKind {
        actor(&principal(role, bound), path, Said { kind: said, name: None }).kind
    }

    #[test]
    fn the_header_lowers_trust_and_never_raises_it() {
        let path = "/api/memory/remember";
        for role in Role::ALL {
            let best = kind_of(role, None, path, None);
            for said in [
                ActorKind::Operator,
                ActorKind::Pipeline,
                ActorKind::Harness,
                ActorKind::Sdk,
                ActorKind::Daemon,
            ] {
                let kind = kind_of(role, None, path, Some(said));
                assert!(best.is_person() || !kind.is_person(), "{role:?} {said:?}");
                assert_ne!(kind, ActorKind::Daemon, "{role:?} {said:?}");
            }
        }
        assert_eq!(kind_of(Role::Admin, None, path, Some(ActorKind::Daemon)), ActorKind::Sdk);
        assert_eq!(kind_of(Role::Admin, None, path, Some(ActorKind::Pipeline)), ActorKind::Pipeline);
    }

    #[test]
    fn persons_are_admins_and_operators_outside_the_machine_paths() {
        for (role, bound, path, expect) in [
            (Role::Admin, None, "/api/memory/remember", ActorKind::Operator),
            (Role::Operator, None, "/api/memory/remember", ActorKind::Operator),
            (Role::Agent, None, "/api/memory/remember", ActorKind::Sdk),
            (Role::Readonly, None, "/api/memory/remember", ActorKind::Sdk),
            (Role::Admin, Some("codex"), "/api/memory/remember", ActorKind::Harness),
            (Role::Admin, None, "/mcp", ActorKind::Harness),
            (Role::Admin, None, "/api/hooks/remember", ActorKind::Harness),
            (Role::Admin, None, "/api/hook/remember", ActorKind::Harness),
        ] {
            assert_eq!(kind_of(role, bound, path, None), expect, "{role:?} {bound:?} {path}");
        }
    }

    #[test]
    fn the_free_name_stands_beside_the_subject() {
        let actor = actor(&Principal::local("me"), "/", Said { kind: None, name: Some("Mia") });
        assert_eq!((actor.name.as_str(), actor.claimed_name.as_deref()), ("local:me", Some("Mia")));
    }
}

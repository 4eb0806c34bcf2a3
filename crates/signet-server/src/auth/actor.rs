//! Who acted, for the audit trail (auth.md §8). A header can lower trust and never raise it.

use signet_model::{Actor, ActorKind, Role};

use super::principal::Principal;

/// Most characters of a claimed name.
const CLAIM_MAX: usize = 128;

/// What a caller says of itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'a> {
    /// `x-signet-actor-type`.
    pub kind: Option<&'a str>,
    /// `x-signet-actor` or body `changed_by`.
    pub name: Option<&'a str>,
}

/// The actor of a request on `path`.
pub fn actor(principal: &Principal, path: &str, said: Said<'_>) -> Actor {
    let mut actor = Actor::new(&principal.subject, kind(principal, path, said.kind));
    actor.claimed_name = said.name.map(|name| name.chars().take(CLAIM_MAX).collect());
    actor
}

fn kind(principal: &Principal, path: &str, said: Option<&str>) -> ActorKind {
    let machine = match said {
        Some("pipeline") => Some(ActorKind::Pipeline),
        Some("harness") => Some(ActorKind::Harness),
        // From outside, nobody is the daemon.
        Some("sdk" | "daemon") => Some(ActorKind::Sdk),
        _ => None,
    };
    machine.unwrap_or_else(|| {
        if is_person(principal, path) { ActorKind::Operator } else { at_best(principal, path) }
    })
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

    fn kind_of(role: Role, bound: Option<&str>, path: &str, said: Option<&str>) -> ActorKind {
        actor(&principal(role, bound), path, Said { kind: said, name: None }).kind
    }

    #[test]
    fn the_header_lowers_trust_and_never_raises_it() {
        let path = "/api/memory/remember";
        for role in Role::ALL {
            let best = kind_of(role, None, path, None);
            for said in ["operator", "pipeline", "harness", "sdk", "daemon", "root", ""] {
                let kind = kind_of(role, None, path, Some(said));
                assert!(best.is_person() || !kind.is_person(), "{role:?} {said}");
                assert_ne!(kind, ActorKind::Daemon, "{role:?} {said}");
            }
        }
        assert_eq!(kind_of(Role::Admin, None, path, Some("daemon")), ActorKind::Sdk);
        assert_eq!(kind_of(Role::Admin, None, path, Some("pipeline")), ActorKind::Pipeline);
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
        let long = "x".repeat(200);
        let actor = actor(&Principal::local("me"), "/", Said { kind: None, name: Some(&long) });
        assert_eq!(actor.name, "local:me");
        assert_eq!(actor.claimed_name.map(|name| name.len()), Some(128));
    }
}

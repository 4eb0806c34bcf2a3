use super::*;
use crate::auth::token::sign;

const NOW: Timestamp = Timestamp::from_millis(1_772_634_300_000);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Peer {
    Loopback,
    Remote,
    Forwarded,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Sent {
    Nothing,
    Good,
    Bad,
}

fn claims() -> Claims {
    Claims {
        sub: "token:readonly".to_owned(),
        name: None,
        scope: CredentialScope { project: Some("/t/x/../app".to_owned()), ..CredentialScope::default() },
        role: "readonly".to_owned(),
        permissions: None,
        iat: Some(1_772_634_300),
        exp: Some(1_772_634_900),
        jti: Some("id".to_owned()),
    }
}

fn secret() -> Secret {
    Secret::new([1; 32])
}

fn identify_as(
    config: &ServerConfig,
    registry: &Registry,
    peer: Peer,
    sent: Sent,
) -> Result<Principal, Error> {
    let mut headers = HeaderMap::new();
    match sent {
        Sent::Nothing => {}
        Sent::Good => {
            let token = sign(&secret(), &claims()).expect("signed");
            headers.insert(AUTHORIZATION, format!("Bearer {token}").parse().expect("header"));
        }
        Sent::Bad => drop(headers.insert(AUTHORIZATION, "Bearer nonsense".parse().expect("header"))),
    }
    if peer == Peer::Forwarded {
        headers.insert("x-forwarded-for", "203.0.113.9".parse().expect("header"));
    }
    let ip = if peer == Peer::Remote { "203.0.113.9" } else { "127.0.0.1" };
    let link = Link {
        peer: format!("{ip}:40000").parse().expect("address"),
        local: "127.0.0.1:3850".parse().expect("address"),
    };
    let checks = Checks { config, secret: &secret(), registry, os_user: "me", now: NOW };
    identify(&checks, &headers, link)
}

/// One word for the outcome: `local`, `local!` (with an error shown), `token`, or the refusal.
fn outcome(mode: Mode, trust_loopback: bool, peer: Peer, sent: Sent) -> String {
    let config = ServerConfig { mode, trust_loopback, ..ServerConfig::default() };
    match identify_as(&config, &Registry::default(), peer, sent) {
        Ok(principal) if principal.trusted_local && principal.error.is_some() => "local!".to_owned(),
        Ok(principal) if principal.trusted_local => "local".to_owned(),
        Ok(_) => "token".to_owned(),
        Err(error) => error.message,
    }
}

#[test]
fn the_table_of_modes() {
    use Peer::{Forwarded, Loopback, Remote};
    use Sent::{Bad, Good, Nothing};
    let required = "authentication required";
    for (mode, trust, peer, sent, expect) in [
        (Mode::Local, true, Loopback, Nothing, "local"),
        (Mode::Local, true, Loopback, Good, "token"),
        (Mode::Local, true, Loopback, Bad, "local!"),
        (Mode::Local, true, Remote, Nothing, required),
        (Mode::Local, true, Remote, Good, "token"),
        (Mode::Local, true, Remote, Bad, "malformed token"),
        (Mode::Local, true, Forwarded, Nothing, required),
        (Mode::Hybrid, true, Loopback, Nothing, "local"),
        (Mode::Hybrid, true, Loopback, Good, "token"),
        (Mode::Hybrid, true, Loopback, Bad, "malformed token"),
        (Mode::Hybrid, true, Remote, Nothing, required),
        (Mode::Hybrid, true, Remote, Good, "token"),
        (Mode::Hybrid, true, Forwarded, Nothing, required),
        (Mode::Hybrid, false, Loopback, Nothing, required),
        (Mode::Hybrid, false, Loopback, Good, "token"),
        (Mode::Team, true, Loopback, Nothing, required),
        (Mode::Team, true, Loopback, Good, "token"),
        (Mode::Team, true, Loopback, Bad, "malformed token"),
        (Mode::Team, true, Remote, Nothing, required),
        (Mode::Team, true, Remote, Good, "token"),
    ] {
        assert_eq!(outcome(mode, trust, peer, sent), expect, "{mode:?} {trust} {peer:?} {sent:?}");
    }
}

#[test]
fn a_good_token_brings_its_role_and_scope_even_from_loopback() {
    let principal = identify_as(&ServerConfig::default(), &Registry::default(), Peer::Loopback, Sent::Good)
        .expect("good");
    let expect = Principal {
        subject: "token:readonly".to_owned(),
        role: Role::Readonly,
        permissions: None,
        trusted_local: false,
        authenticated: true,
        restriction: Restriction { projects: Some(vec!["/t/app".to_owned()]), ..Restriction::default() },
        bound_to: None,
        claims: Some(claims()),
        error: None,
    };
    assert_eq!(principal, expect);
    assert_eq!(principal.held(), [Permission::Recall]);
}

#[test]
fn a_revoked_token_ends_at_once() {
    let config = ServerConfig { mode: Mode::Team, ..ServerConfig::default() };
    let registry = Registry::default();
    assert!(identify_as(&config, &registry, Peer::Remote, Sent::Good).is_ok());
    registry.revoke_token("id");
    let error = identify_as(&config, &registry, Peer::Remote, Sent::Good).expect_err("revoked");
    assert_eq!((error.code, error.message.as_str()), (Code::TokenRevoked, "token revoked"));
}

#[test]
fn a_list_narrows_the_role_and_never_widens_it() {
    let principal = Principal {
        role: Role::Readonly,
        permissions: Some(vec![Permission::Recall, Permission::Admin]),
        ..Principal::anonymous()
    };
    assert_eq!(principal.held(), [Permission::Recall]);
    assert_eq!(Principal::anonymous().held(), []);
}

#[test]
fn the_mapped_form_of_a_loopback_address_is_loopback() {
    let link = |ip: &str| Link {
        peer: format!("[{ip}]:1").parse().expect("address"),
        local: "127.0.0.1:3850".parse().expect("address"),
    };
    assert!(link("::1").is_loopback());
    assert!(link("::ffff:127.9.9.9").is_loopback());
    assert!(!link("::ffff:10.0.0.1").is_loopback());
}

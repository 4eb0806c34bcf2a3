//! Every route of the table against every kind of caller and every kind of broken request.

use signet_model::Role;
use signet_server::config::{Mode, ServerConfig, Window};
use signet_server::http::table;
use signet_server::route::{Access, Rate, Route};
use signet_server::testing::{Answer, Call, Setup, TestServer, remote};
use signet_store::control::credential::CredentialScope;

fn concrete(path: &str) -> String {
    path.split('/')
        .map(|part| if part.starts_with('{') { "some-id" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

/// A server on which no window is in the way.
async fn server(mode: Mode) -> TestServer {
    let base = Setup::default();
    let wide = Window { window_ms: 1, max: u32::MAX };
    let classes = [
        Rate::Forget,
        Rate::Modify,
        Rate::BatchForget,
        Rate::Admin,
        Rate::Recover,
        Rate::Handoff,
        Rate::ForceDelete,
        Rate::FailedCredential,
    ];
    let rate_limits = classes.into_iter().map(|rate| (rate, wide)).collect();
    TestServer::with(Setup { config: ServerConfig { mode, rate_limits, ..base.config }, ..base }).await
}

/// A call of every route under every of its paths.
fn calls(server: &TestServer) -> Vec<(Route, Call<'_>)> {
    let mut calls = Vec::new();
    for route in table() {
        for path in std::iter::once(route.path).chain(route.aliases.iter().copied()) {
            calls.push((route, server.call(route.method.as_str(), &concrete(path))));
        }
    }
    calls
}

#[track_caller]
fn refused(route: &Route, answer: &Answer, status: u16, code: &str) {
    let place =
        format!("{} {}: {}", route.method.as_str(), route.path, String::from_utf8_lossy(&answer.bytes));
    assert_eq!((answer.status, answer.code()), (status, code), "{place}");
    assert!(answer.body["error"].is_string(), "{place}");
    assert_eq!(answer.header("content-type"), "application/json; charset=utf-8", "{place}");
    assert!(!answer.header("x-signet-request-id").is_empty(), "{place}");
}

#[tokio::test]
async fn without_a_credential_only_open_routes_answer() {
    for mode in [Mode::Team, Mode::Hybrid] {
        let server = server(mode).await;
        for (route, call) in calls(&server) {
            let answer = call.peer(remote()).send().await;
            if route.access == Access::Open {
                assert_ne!(answer.code(), "authentication_required", "{}", route.path);
                assert!(!String::from_utf8_lossy(&answer.bytes).contains("agentsDir"), "{}", route.path);
            } else {
                refused(&route, &answer, 401, "authentication_required");
                assert_eq!(answer.header("www-authenticate"), "Bearer", "{}", route.path);
            }
        }
    }
}

#[tokio::test]
async fn a_role_gets_what_it_holds_and_403_for_the_rest() {
    let server = server(Mode::Team).await;
    for role in Role::ALL {
        let token = server.token(role, CredentialScope::default());
        for (route, call) in calls(&server) {
            let answer = call.bearer(&token).peer(remote()).send().await;
            match route.access {
                Access::Needs(permission) if !role.allows(permission) => {
                    refused(&route, &answer, 403, "permission_denied");
                    let word = permission.as_str();
                    let sentence = format!("role '{}' lacks '{word}' permission", role.as_str());
                    assert_eq!(answer.body["error"], sentence.as_str());
                    assert_eq!(answer.body["permission"], word);
                }
                Access::Open | Access::Any | Access::Needs(_) => {
                    assert_ne!(answer.code(), "permission_denied", "{role:?} {}", route.path);
                    assert_ne!(answer.status, 401, "{role:?} {}", route.path);
                    assert_ne!(answer.status, 500, "{role:?} {}", route.path);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_credential_that_does_not_verify_is_401_where_one_is_needed() {
    let server = server(Mode::Team).await;
    for (route, call) in calls(&server) {
        let answer = call.bearer("bm90.YSB0b2tlbg").send().await;
        if route.access != Access::Open {
            refused(&route, &answer, 401, "invalid_signature");
        }
    }
}

#[tokio::test]
async fn foreign_hosts_origins_and_sites_are_refused_everywhere_in_every_mode() {
    for mode in [Mode::Local, Mode::Hybrid, Mode::Team] {
        let server = server(mode).await;
        for (name, value, code) in [
            ("host", "evil.example", "host_not_allowed"),
            ("host", "localhost.evil.example:3850", "host_not_allowed"),
            ("origin", "https://evil.example", "origin_not_allowed"),
            ("origin", "http://localhost:3000", "origin_not_allowed"),
            ("origin", "null", "origin_not_allowed"),
            ("sec-fetch-site", "cross-site", "cross_site_refused"),
            ("sec-fetch-site", "same-site", "cross_site_refused"),
        ] {
            for (route, call) in calls(&server) {
                let answer = call.header(name, value).send().await;
                refused(&route, &answer, 403, code);
                assert_eq!(answer.header("access-control-allow-origin"), "", "{}", route.path);
            }
        }
    }
}

#[tokio::test]
async fn a_body_that_is_not_a_json_object_is_400() {
    let server = server(Mode::Local).await;
    for body in ["{", "[]", "nonsense", "\"text\"", "{\"a\":\u{7f}"] {
        for (route, call) in calls(&server) {
            let answer = call.bytes(body).send().await;
            refused(&route, &answer, 400, "invalid_json");
        }
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_with_the_limit() {
    let server = server(Mode::Local).await;
    for (route, call) in calls(&server) {
        let length = (route.body_limit + 1).to_string();
        let answer = call.header("content-length", &length).send().await;
        refused(&route, &answer, 413, "body_too_large");
        assert_eq!(answer.body["limitBytes"], route.body_limit, "{}", route.path);
    }
}

#[tokio::test]
async fn another_method_is_405_with_the_ones_there_are() {
    let server = server(Mode::Local).await;
    for route in table() {
        let answer = server.call("PURGE", &concrete(route.path)).send().await;
        refused(&route, &answer, 405, "method_not_allowed");
        let allow = answer.header("allow");
        assert!(allow.split(", ").any(|name| name == route.method.as_str()), "{}: {allow}", route.path);
    }
}

#[tokio::test]
async fn a_browser_may_send_json_only() {
    let server = server(Mode::Local).await;
    for (route, call) in calls(&server) {
        let call = call.header("origin", "http://localhost:3850").header("content-type", "text/plain");
        let answer = call.bytes("{}").send().await;
        refused(&route, &answer, 415, "unsupported_media_type");
    }
}

#[tokio::test]
async fn a_url_never_carries_a_credential() {
    let server = server(Mode::Local).await;
    for route in table() {
        let path = format!("{}?token=abc", concrete(route.path));
        let answer = server.call(route.method.as_str(), &path).send().await;
        refused(&route, &answer, 400, "invalid_request");
    }
}

#[tokio::test]
async fn two_agents_in_one_request_are_400_and_a_foreign_one_is_403() {
    let server = server(Mode::Team).await;
    let scope = CredentialScope { agent: Some("alice".to_owned()), ..CredentialScope::default() };
    let token = server.token(Role::Admin, scope);
    for route in table() {
        let path = format!("{}?agentId=alice", concrete(route.path));
        let call = server.call(route.method.as_str(), &path).bearer(&token);
        let answer = call.header("x-signet-agent-id", "bob").send().await;
        refused(&route, &answer, 400, "conflicting_fields");

        let path = format!("{}?agent_id=bob", concrete(route.path));
        let answer = server.call(route.method.as_str(), &path).bearer(&token).send().await;
        refused(&route, &answer, 403, "scope_restricted");
        assert_eq!(answer.body["error"], "scope restricted to agent 'alice'");
    }
}

#[tokio::test]
async fn once_the_daemon_ends_only_health_answers() {
    let server = server(Mode::Local).await;
    server.state.gate.life.soft.cancel();
    for (route, call) in calls(&server) {
        let answer = call.send().await;
        if route.path.starts_with("/health") {
            assert_ne!(answer.code(), "shutting_down", "{}", route.path);
        } else {
            refused(&route, &answer, 503, "shutting_down");
            assert_eq!(answer.header("retry-after"), "5", "{}", route.path);
        }
    }
}

//! What holds for every answer of the surface, shown on routes made for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use signet_model::{Error, Permission, Role};
use signet_server::config::{Mode, Room, ServerConfig, Window};
use signet_server::cx::{Cx, Reply};
use signet_server::field::{Field, Kind};
use signet_server::route::{Access, Admission, HandlerFuture, Rate, Route, Verb, route};
use signet_server::testing::{Setup, TestServer, remote};
use signet_store::control::credential::CredentialScope;

const ECHO: &[Field] = &[
    Field::new("content", Kind::Text { min: 0, max: 100_000 }, "Text."),
    Field::new("project", Kind::Text { min: 1, max: 100 }, "Project."),
    Field::new("since", Kind::Time, "From."),
    Field::new("force", Kind::Bool, "Force."),
];

/// Says what the handler was given.
fn echo(cx: Cx) -> HandlerFuture {
    Box::pin(async move {
        Reply::ok(&json!({
            "agent": cx.scope.agent().as_str(),
            "actor": cx.actor.kind.as_str(),
            "name": cx.actor.name,
            "claimed": cx.actor.claimed_name,
            "session": cx.session_key,
            "reason": cx.reason,
            "runtimePath": cx.runtime_path,
            "content": cx.input.text("content"),
            "project": cx.input.text("project"),
            "since": cx.input.time("since").map(|at| at.to_string()),
            "projects": cx.scope.projects(),
        }))
    })
}

fn fails(_: Cx) -> HandlerFuture {
    Box::pin(async { panic!("the handler broke") })
}

fn counts(cx: Cx) -> HandlerFuture {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    Box::pin(async move {
        if cx.input.text("content") == Some("refuse") {
            return Err(Error::field("content", "content is refused"));
        }
        Reply::with_status(201, &json!({ "call": CALLS.fetch_add(1, Ordering::SeqCst) }))
    })
}

fn waits(_: Cx) -> HandlerFuture {
    Box::pin(std::future::pending())
}

static GO: tokio::sync::Notify = tokio::sync::Notify::const_new();
static DONE: AtomicUsize = AtomicUsize::new(0);

/// Begins, waits for the word, and ends.
fn slow(_: Cx) -> HandlerFuture {
    Box::pin(async {
        GO.notified().await;
        DONE.fetch_add(1, Ordering::SeqCst);
        Reply::ok(&())
    })
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::Schema::default()
}

fn row(method: Verb, path: &'static str, permission: Permission, handler: fn(Cx) -> HandlerFuture) -> Route {
    Route { fields: ECHO, ..route(method, path, Access::Needs(permission), handler, any, "Test.") }
}

fn routes() -> Vec<Route> {
    vec![
        Route { aliases: &["/api/old"], ..row(Verb::Post, "/api/echo", Permission::Remember, echo) },
        row(Verb::Get, "/api/echo", Permission::Recall, echo),
        row(Verb::Get, "/api/panic", Permission::Recall, fails),
        row(Verb::Post, "/api/panic", Permission::Remember, fails),
        row(Verb::Post, "/api/count", Permission::Remember, counts),
        Route { admission: Admission::Recall, ..row(Verb::Get, "/api/wait", Permission::Recall, waits) },
        row(Verb::Post, "/api/slow", Permission::Remember, slow),
        Route { rate: Rate::BatchForget, ..row(Verb::Post, "/api/batch", Permission::Forget, echo) },
    ]
}

async fn server_with(change: impl FnOnce(&mut ServerConfig)) -> TestServer {
    let mut setup = Setup { table: routes(), ..Setup::default() };
    change(&mut setup.config);
    TestServer::with(setup).await
}

async fn server() -> TestServer {
    server_with(|_| {}).await
}

#[tokio::test]
async fn unknown_paths_are_json_404_for_every_method() {
    let server = server().await;
    for path in
        ["/api/unknown", "/api", "/memory/x", "/", "/api/echo/more", "/api/%2e%2e/etc/passwd", "/../etc"]
    {
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            let answer = server.call(method, path).send().await;
            let expect = json!({"error": "not found", "code": "not_found"});
            assert_eq!(*answer.expect(404), expect, "{method} {path}");
        }
        assert_eq!(server.call("HEAD", path).send().await.status, 404, "{path}");
    }
    for path in ["/api/plugins/list", "/v1/chat/completions", "/api/git"] {
        let answer = server.get(path).send().await;
        assert_eq!((answer.status, answer.code()), (404, "not_provided"), "{path}");
        assert!(answer.body["hint"].is_string(), "{path}");
    }
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let server = server().await;
    let get = server.get("/api/echo").send().await;
    let head = server.call("HEAD", "/api/echo/").send().await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), get.bytes.len().to_string());
}

#[tokio::test]
async fn a_panic_is_one_500_and_the_server_lives_on() {
    let server = server().await;
    for call in [server.get("/api/panic"), server.post("/api/panic")] {
        let answer = call.send().await;
        assert_eq!(
            *answer.expect(500),
            json!({"error": "internal error; see the daemon's log", "code": "internal"})
        );
    }
    server.get("/api/echo").send().await.expect(200);
}

#[tokio::test]
async fn the_request_id_is_echoed_when_plain_and_made_otherwise() {
    let server = server().await;
    let id = |sent: &'static str| {
        let call = server.get("/api/echo").header("x-signet-request-id", sent);
        async move { call.send().await.header("x-signet-request-id").to_owned() }
    };
    assert_eq!(id("req-1").await, "req-1");
    let made = id("a b").await;
    assert!(made.len() == 36 && made != "a b", "{made}");
}

#[tokio::test]
async fn headers_reach_the_handler() {
    let server = server().await;
    let answer = server
        .post("/api/echo")
        .header("x-signet-agent-id", "alice")
        .header("x-signet-session-key", "s1")
        .header("x-signet-reason", "because")
        .header("x-signet-runtime-path", "plugin")
        .header("x-signet-actor", "Mia")
        .header("x-signet-actor-type", "harness")
        .header("x-signet-timezone", "Asia/Tokyo")
        .json(&json!({"since": "2026-03-04T09:00:00", "content": "x"}))
        .send()
        .await;
    assert_eq!(
        *answer.expect(200),
        json!({
            "agent": "alice", "actor": "harness", "name": "local:tester", "claimed": "Mia", "session": "s1",
            "reason": "because", "runtimePath": "plugin", "content": "x", "project": null,
            "since": "2026-03-04T00:00:00.000Z", "projects": null,
        })
    );
    let plain = server.post("/api/echo").send().await;
    assert_eq!(plain.expect(200)["actor"], "operator");
    let bad = server.post("/api/echo").header("x-signet-timezone", "Mars/Olympus").send().await;
    assert_eq!(bad.expect(400)["field"], "x-signet-timezone");
}

#[tokio::test]
async fn a_header_that_cannot_be_understood_is_refused_and_never_passed_over() {
    let server = server().await;
    let long = "x".repeat(300);
    for (name, value) in [
        ("x-signet-agent-id", &b"caf\xe9"[..]),
        ("x-signet-agent-id", "caf\u{e9}".as_bytes()),
        ("idempotency-key", b"\xff"),
        ("x-signet-actor-type", b"zz"),
        ("x-signet-actor", long.as_bytes()),
        ("x-signet-session-id", long.as_bytes()),
    ] {
        let refused = server.post("/api/echo").header_bytes(name, value).send().await;
        let field = if value == "caf\u{e9}".as_bytes() { "agentId" } else { name };
        assert_eq!((&refused.expect(400)["field"], refused.code()), (&json!(field), "invalid_request"));
    }
    let machine = server.post("/api/echo").header("x-signet-actor-type", "SDK").send().await;
    assert_eq!(machine.expect(200)["actor"], "sdk");
    let reason =
        server.post("/api/echo").header_bytes("x-signet-reason", "caf\u{e9}".as_bytes()).send().await;
    assert_eq!(reason.expect(200)["reason"], "caf\u{e9}");
}

#[tokio::test]
async fn a_session_key_that_conflicts_has_its_sentence() {
    let server = server().await;
    for body in [json!({"sessionKey": "a"}), json!({"session_key": "a"})] {
        let answer = server.post("/api/echo").header("x-signet-session-key", "b").json(&body).send().await;
        assert_eq!(answer.expect(400)["error"], "session_key conflicts with x-signet-session-key");
        assert_eq!(answer.code(), "conflicting_fields");
    }
    let same = server.post("/api/echo").header("x-signet-session-key", "a").json(&json!({"sessionKey": "a"}));
    assert_eq!(same.send().await.expect(200)["session"], "a");
}

#[tokio::test]
async fn half_surrogates_and_nul_are_taken() {
    let server = server().await;
    let answer = server.post("/api/echo").bytes(r#"{"content":"a\ud800b\u0000c"}"#).send().await;
    assert_eq!(answer.expect(200)["content"], "a\0b\0c");
}

#[tokio::test]
async fn old_names_work_and_say_so() {
    let server = server().await;
    assert_eq!(server.post("/api/old").send().await.header("deprecation"), "true");
    assert_eq!(server.post("/api/echo").send().await.header("deprecation"), "");
}

#[tokio::test]
async fn only_allowed_origins_get_cors_answers() {
    let server =
        server_with(|config| config.allowed_origins = vec!["https://notes.example".to_owned()]).await;
    for origin in ["http://localhost:3850", "https://notes.example"] {
        let preflight = server
            .call("OPTIONS", "/api/echo")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .send()
            .await;
        assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (204, origin));
        assert!(preflight.header("access-control-allow-methods").contains("PATCH"));
        assert!(preflight.header("access-control-allow-headers").contains("x-signet-agent-id"));
        let answer = server.get("/api/echo").header("origin", origin).send().await;
        answer.expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), origin);
        assert!(answer.headers.get_all("vary").iter().any(|value| value == "Origin"));
        for never in ["access-control-allow-credentials", "access-control-allow-private-network"] {
            assert_eq!(preflight.header(never), "");
            assert_eq!(answer.header(never), "");
        }
        let refused = server.get("/api/unknown").header("origin", origin).send().await;
        assert_eq!(refused.header("access-control-allow-origin"), origin, "a page may read a refusal too");
    }
    let foreign = server
        .call("OPTIONS", "/api/echo")
        .header("origin", "https://evil.example")
        .header("access-control-request-method", "POST")
        .send()
        .await;
    assert_eq!((foreign.status, foreign.code()), (403, "origin_not_allowed"));
}

#[tokio::test]
async fn long_answers_are_compressed_when_asked_for() {
    let server = server().await;
    let call = |content: &str, ask: bool| {
        let call = server.post("/api/echo").json(&json!({ "content": content }));
        if ask { call.header("accept-encoding", "gzip") } else { call }
    };
    let long = "x".repeat(5_000);
    let zipped = call(&long, true).send().await;
    assert_eq!((zipped.status, zipped.header("content-encoding")), (200, "gzip"));
    assert!(zipped.bytes.len() < 1_000 && zipped.bytes.starts_with(&[0x1f, 0x8b]));
    assert_eq!(call(&long, false).send().await.header("content-encoding"), "");
    assert_eq!(call("short", true).send().await.header("content-encoding"), "");
}

#[tokio::test]
async fn the_same_key_and_body_get_the_first_answer_for_a_day() {
    let server = server().await;
    let send = |key: &'static str, agent: &'static str, body: Value| {
        let call =
            server.post("/api/count").header("idempotency-key", key).header("x-signet-agent-id", agent);
        call.json(&body).send()
    };
    let first = send("k", "alice", json!({"content": "a"})).await;
    first.expect(201);
    assert_eq!(send("k", "alice", json!({"content": "a"})).await.body, first.body);
    let other = send("k", "alice", json!({"content": "b"})).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_mismatch"));
    assert_ne!(send("k", "bob", json!({"content": "a"})).await.body, first.body);
    assert_ne!(send("l", "alice", json!({"content": "a"})).await.body, first.body);

    send("m", "alice", json!({"content": "refuse"})).await.expect(400);
    send("m", "alice", json!({"content": "now right"})).await.expect(201);

    server.store.clock.advance_days(1);
    assert_ne!(send("k", "alice", json!({"content": "a"})).await.expect(201), &first.body);
    let long: &'static str = Box::leak("k".repeat(256).into_boxed_str());
    assert_eq!(send(long, "alice", json!({})).await.expect(400)["field"], "idempotency-key");
}

#[tokio::test]
async fn two_equal_requests_at_once_run_once() {
    let server = server().await;
    let send = || server.post("/api/count").header("idempotency-key", "together").json(&json!({})).send();
    let (first, second, third) = tokio::join!(send(), send(), send());
    first.expect(201);
    assert_eq!((&first.body, &first.body), (&second.body, &third.body));
}

#[tokio::test]
async fn a_full_room_answers_503_with_retry_after() {
    let server = Arc::new(
        server_with(|config| {
            let room = Room { running: 1, waiting: 0, patience: Duration::ZERO };
            config.admission.insert(Admission::Recall, room);
        })
        .await,
    );
    let mut first = Box::pin(server.get("/api/wait").send());
    assert!(futures_poll(first.as_mut()).await.is_none(), "the first runs");
    let second = server.get("/api/wait").send().await;
    assert_eq!((second.status, second.code(), second.header("retry-after")), (503, "overloaded", "1"));
    drop(first);
    let mut third = Box::pin(server.get("/api/wait").send());
    assert!(futures_poll(third.as_mut()).await.is_none(), "a client that goes away frees its place");
}

/// Polls a future a few times; `None` when it is not done.
async fn futures_poll<F: Future + Unpin>(mut future: F) -> Option<F::Output> {
    for _ in 0..10 {
        let done = std::future::poll_fn(|cx| {
            let poll = std::pin::Pin::new(&mut future).poll(cx);
            std::task::Poll::Ready(match poll {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await;
        if done.is_some() {
            return done;
        }
        tokio::task::yield_now().await;
    }
    None
}

#[tokio::test]
async fn a_write_that_was_begun_ends_though_its_client_went_away() {
    let server = server().await;
    let mut sent = Box::pin(server.post("/api/slow").send());
    assert!(futures_poll(sent.as_mut()).await.is_none(), "it runs");
    drop(sent);
    GO.notify_one();
    server.settle().await;
    assert_eq!(DONE.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_told_so() {
    let server = server_with(|config| config.deadline = Duration::ZERO).await;
    let answer = server.get("/api/wait").send().await;
    assert_eq!((answer.status, answer.code()), (503, "overloaded"));
}

#[tokio::test]
async fn at_the_hard_end_running_requests_are_dropped() {
    let server = server().await;
    let mut waiting = Box::pin(server.get("/api/wait").send());
    assert!(futures_poll(waiting.as_mut()).await.is_none());
    server.state.gate.life.hard.cancel();
    assert_eq!(waiting.await.code(), "shutting_down");
}

#[tokio::test]
async fn over_the_limit_is_429_with_the_instant_and_a_forced_one_has_its_own() {
    let server = server_with(|config| config.mode = Mode::Team).await;
    let token = server.token(Role::Agent, CredentialScope::default());
    let batch = |body: Value| server.post("/api/batch").bearer(&token).json(&body).send();
    for _ in 0..3 {
        batch(json!({"force": true})).await.expect(200);
    }
    assert_eq!(batch(json!({"force": true})).await.code(), "rate_limited", "forced ones: 3");
    batch(json!({"force": "x"})).await.expect(400);
    batch(json!({})).await.expect(200);
    let limited = batch(json!({})).await;
    let expect = json!({
        "error": "rate limit exceeded", "code": "rate_limited", "hint": "try again in 60 s",
        "retryAfter": 1_772_634_360_000_i64,
    });
    assert_eq!(*limited.expect(429), expect);
    assert_eq!(limited.header("retry-after"), "60");
    server.store.clock.advance(59_999);
    assert_eq!(batch(json!({})).await.header("retry-after"), "1");
    server.store.clock.advance(1);
    batch(json!({})).await.expect(200);
}

#[tokio::test]
async fn a_scoped_credential_has_its_project_filled_in_and_no_other() {
    let server = server_with(|config| config.mode = Mode::Team).await;
    let scope = CredentialScope { project: Some("/t/app".to_owned()), ..CredentialScope::default() };
    let token = server.token(Role::Admin, scope);
    let post = |body: Value| server.post("/api/echo").bearer(&token).json(&body).send();
    let filled = post(json!({})).await;
    assert_eq!(filled.expect(200)["project"], "/t/app");
    assert_eq!(filled.body["projects"], json!(["/t/app"]));
    let refused = post(json!({"project": "/t/other"})).await;
    assert_eq!((refused.status, refused.code()), (403, "scope_restricted"));
    assert_eq!(refused.body["error"], "scope restricted to project '/t/app'");
}

#[tokio::test]
async fn a_readonly_credential_writes_nowhere() {
    let server = server_with(|config| config.mode = Mode::Team).await;
    let token = server.token(Role::Readonly, CredentialScope::default());
    for path in ["/api/echo", "/api/old", "/api/count", "/api/batch", "/api/panic"] {
        let answer = server.post(path).bearer(&token).send().await;
        assert_eq!((answer.status, answer.code()), (403, "permission_denied"), "{path}");
    }
    server.get("/api/echo").bearer(&token).send().await.expect(200);
}

#[tokio::test]
async fn refusals_leave_a_trace_without_content() {
    let server = server_with(|config| config.mode = Mode::Team).await;
    let token = server.token(Role::Readonly, CredentialScope::default());
    for _ in 0..3 {
        let call = server.post("/api/echo?content=private").bearer(&token).peer(remote());
        call.json(&json!({"content": "private words"})).send().await.expect(403);
    }
    server.get("/api/echo").header("origin", "https://evil.example").send().await.expect(403);
    server.store.clock.advance(60_000);
    server.get("/api/echo").send().await.expect(401);
    let file = signet_store::control::denials::path(server.store.workspace());
    let text = std::fs::read_to_string(file).expect("the audit file");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    let find = |code: &str| lines.iter().find(|line| line["code"] == code).expect("a line");
    let denied = find("permission_denied");
    assert_eq!((&denied["count"], &denied["peer"]), (&json!(3), &json!("203.0.113.9")));
    assert_eq!((&denied["route"], &denied["about"]), (&json!("/api/echo"), &json!("remember")));
    assert_eq!(denied["principal"], "token:readonly");
    let foreign = find("origin_not_allowed");
    assert_eq!(
        (&foreign["origin"], &foreign["route"]),
        (&json!("https://evil.example"), &json!("/api/echo"))
    );
    assert!(!text.contains("private") && !text.contains(&token), "{text}");
}

#[tokio::test]
async fn administration_leaves_one_line_each() {
    let server = TestServer::start().await;
    for _ in 0..2 {
        server.post("/api/auth/token").json(&json!({"role": "agent"})).send().await.expect(200);
    }
    server.get("/api/auth/tokens").send().await.expect(200);
    let file = signet_store::control::denials::path(server.store.workspace());
    let text = std::fs::read_to_string(file).expect("the audit file");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    assert_eq!(lines.len(), 2, "{text}");
    for line in lines {
        assert_eq!((&line["code"], &line["route"]), (&json!("ok"), &json!("/api/auth/token")));
        assert_eq!(line["principal"], "local:tester");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn no_body_and_no_query_is_ever_a_5xx(
        body in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
        query in "[ -~]{0,40}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
        runtime.block_on(async {
            let server = server().await;
            let query: String = query.chars().filter(|c| !" \"<>#`{}|\\^[]".contains(*c)).collect();
            for path in ["/api/echo", "/api/count", "/api/batch"] {
                let answer = server.post(&format!("{path}?{query}")).bytes(body.clone()).send().await;
                assert!(answer.status < 500, "{}", answer.body);
            }
        });
    }
}

#[tokio::test]
async fn a_reload_changes_lists_and_limits_at_once() {
    let server = server_with(|config| config.mode = Mode::Hybrid).await;
    let call = || server.get("/api/echo").header("host", "notes.example").send();
    assert_eq!(call().await.code(), "host_not_allowed");
    server.state.gate.live.set(signet_server::live::Rules {
        allowed_hosts: vec!["notes.example".to_owned()],
        rate_limits: [(Rate::BatchForget, Window { window_ms: 1_000, max: 1 })].into(),
        pending_restart: true,
        ..Default::default()
    });
    call().await.expect(200);
    let token = server.token(Role::Agent, CredentialScope::default());
    let batch = || server.post("/api/batch").bearer(&token).send();
    batch().await.expect(200);
    assert_eq!(batch().await.header("retry-after"), "1");
}

#[tokio::test]
async fn durations_are_counted_per_group() {
    let server = TestServer::start().await;
    assert_eq!(*server.get("/api/analytics/latency").send().await.expect(200), json!({}));
    for _ in 0..3 {
        server.get("/api/memory/search?q=tea").send().await.expect(200);
    }
    server.get("/api/memory/search").send().await.expect(400);
    let figures = server.get("/api/analytics/latency").send().await;
    assert_eq!(figures.expect(200)["recall"]["count"], 4, "refused requests count too");
}

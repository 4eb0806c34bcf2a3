//! Health, readiness, status: honest, and for strangers without paths.

use std::sync::Arc;

use serde_json::json;
use signet_model::embed::{Availability, BoxFuture, EmbedError, EmbedRole, Embedded, Embedder, Profile};
use signet_server::config::{Mode, ServerConfig};
use signet_server::testing::{Setup, TestServer, WordEmbedder, remote};
use signet_store::fault::{Action, Point};

/// An embedder whose last call failed, or that was never called, or that is off.
struct Odd(Availability, bool);

impl Embedder for Odd {
    fn profile(&self) -> Option<Profile> {
        if self.1 { WordEmbedder.profile() } else { None }
    }

    fn embed(&self, role: EmbedRole, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        WordEmbedder.embed(role, texts)
    }

    fn availability(&self) -> Availability {
        self.0.clone()
    }

    fn address(&self) -> Option<String> {
        None
    }
}

async fn server(availability: Availability, on: bool) -> TestServer {
    let base = Setup::default();
    let config = ServerConfig { mode: Mode::Hybrid, ..base.config };
    TestServer::with(Setup { config, embedder: Arc::new(Odd(availability, on)), ..base }).await
}

#[tokio::test]
async fn a_sound_daemon_is_healthy_and_tells_strangers_no_path_and_no_pid() {
    let server = server(Availability::Up, true).await;
    let mut own = server.get("/health").send().await.expect(200).clone();
    assert_eq!(own["agentsDir"], server.store.workspace().display().to_string());
    let mut fields = own.as_object_mut().expect("object").clone();
    for varying in ["resources", "agentsDir", "reasons"] {
        fields.remove(varying);
    }
    let expect = json!({
        "status": "healthy", "uptime": 0, "version": "0.0.0-test", "port": 3850, "db": true, "dbWriter": "up",
        "dbReader": "up", "databaseIntegrity": "ok", "shuttingDown": false, "updateAvailable": false,
        "pendingRestart": false, "pid": 4711,
    });
    assert_eq!(json!(fields), expect);
    let strange = server.get("/health").peer(remote()).send().await;
    assert_eq!((strange.expect(200).get("pid"), strange.body.get("agentsDir")), (None, None));
    server.store.clock.advance(61_500);
    assert_eq!(server.get("/health/live").send().await.expect(200)["uptime"], 61);
}

#[tokio::test]
async fn readiness_names_what_is_missing_and_unknown_stays_unknown() {
    for (availability, on, expect) in [
        (Availability::Up, true, json!(true)),
        (Availability::Unknown, true, json!("unknown")),
        (Availability::Down("secret address".to_owned()), true, json!(false)),
        (Availability::Unknown, false, json!(false)),
    ] {
        let server = server(availability, on).await;
        let answer = server.get("/health/ready").peer(remote()).send().await;
        assert_eq!(answer.expect(200)["checks"]["embedding"]["available"], expect);
        assert_eq!(answer.body["checks"]["queue"], json!({"depth": 0}));
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("secret"), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_provider_that_is_down_degrades_and_is_named() {
    let server = server(Availability::Down("no route to host".to_owned()), true).await;
    let health = server.get("/health").send().await;
    assert_eq!(health.expect(200)["status"], "degraded");
    assert_eq!(health.body["reasons"][0], "the embedding provider does not answer; recall works by words");
    let status = server.get("/api/status").send().await;
    assert_eq!(status.expect(200)["health"], json!({"score": 0.5, "status": "degraded"}));
    assert_eq!(status.body["embedding"]["error"], "no route to host");
}

#[tokio::test]
async fn a_closed_store_is_not_ready_and_live_all_the_same() {
    let server = server(Availability::Up, true).await;
    server.store.store().close().expect("closed");
    let ready = server.get("/health/ready").send().await;
    assert_eq!(ready.expect(503)["status"], "not_ready");
    assert_eq!(
        ready.body["reasons"],
        json!(["the database does not take writes", "the database does not answer reads"])
    );
    assert_eq!(ready.body["checks"].get("queue"), None, "unknown is not 0");
    let status = server.get("/api/status").send().await;
    assert_eq!(
        (&status.expect(200)["memoryDb"], &status.body["health"]["score"]),
        (&json!(false), &json!(0.0))
    );
    server.get("/health/live").send().await.expect(200);
}

#[tokio::test]
async fn a_look_at_the_database_is_kept_for_half_a_minute() {
    let server = server(Availability::Up, true).await;
    server.get("/health/ready").send().await.expect(200);
    server.store.store().close().expect("closed");
    server.get("/health/ready").send().await.expect(200);
    server.store.clock.advance(30_000);
    server.get("/health/ready").send().await.expect(503);
}

#[tokio::test]
async fn status_is_whole() {
    let server = server(Availability::Up, true).await;
    let mut status = server.get("/api/status?agentId=alice").send().await.expect(200).clone();
    let fields = status.as_object_mut().expect("object");
    for varying in ["resources", "agentsDir", "config", "reasons", "schemaVersion"] {
        assert!(fields.remove(varying).is_some(), "{varying}");
    }
    let expect = json!({
        "status": "healthy", "version": "0.0.0-test", "pid": 4711, "uptime": 0,
        "startedAt": "2026-03-04T14:25:00.000Z", "port": 3850, "host": "127.0.0.1", "bindHost": "127.0.0.1",
        "networkMode": "localhost", "authMode": "hybrid", "agentId": "alice", "memoryDb": true, "runtime": "rust",
        "health": {"score": 1.0, "status": "healthy"},
        "pipeline": {"workers": {"embeddingTracker": {"running": false, "lastRunAt": null, "lastError": null}}},
        "embedding": {
            "provider": "fake", "model": "words", "dimensions": 64, "available": true, "coverage": null,
        },
        "logging": {"logDir": null, "logFile": null},
    });
    assert_eq!(status, expect);
}

#[tokio::test]
async fn mode_tells_each_caller_whether_it_needs_a_credential() {
    let server = server(Availability::Up, true).await;
    let local = server.get("/api/mode").send().await;
    assert_eq!(*local.expect(200), json!({"mode": "hybrid", "requiresAuth": false}));
    let far = server.get("/api/mode").peer(remote()).send().await;
    assert_eq!(*far.expect(200), json!({"mode": "hybrid", "requiresAuth": true}));
}

#[tokio::test]
async fn the_workspace_and_the_description_are_served() {
    let server = server(Availability::Up, true).await;
    let workspace = server.get("/api/status/workspace").send().await;
    assert_eq!(workspace.expect(200)["path"], server.store.workspace().display().to_string());
    assert_eq!((&workspace.body["source"], &workspace.body["layout"]), (&json!("flag"), &json!(1)));
    let description = server.get("/api/openapi.json").send().await;
    assert_eq!(description.expect(200)["openapi"], "3.1.0");
    assert_eq!(*server.get("/api/features").send().await.expect(200), json!({}));
}

#[tokio::test]
async fn a_bad_file_at_a_reload_degrades_and_is_told() {
    let server = server(Availability::Up, true).await;
    let file = signet_server::config::ConfigInfo {
        errors: vec!["`search.alpha` must be 0 to 1".to_owned()],
        ..server.state.info.config.clone()
    };
    let rules = signet_server::live::Rules { file: Some(file), pending_restart: true, ..Default::default() };
    server.state.gate.live.set(rules);
    let status = server.get("/api/status").send().await;
    assert_eq!(status.expect(200)["config"]["errors"], json!(["`search.alpha` must be 0 to 1"]));
    assert_eq!((&status.body["config"]["ok"], &status.body["status"]), (&json!(false), &json!("degraded")));
    assert_eq!(server.get("/health").send().await.expect(200)["pendingRestart"], true);
}

#[tokio::test]
async fn a_full_disk_degrades_until_a_write_is_stored_again() {
    let server = server(Availability::Up, true).await;
    let say =
        async |text: &str| server.post("/api/memory/remember").json(&json!({ "content": text })).send().await;
    let told = async |path: &str| server.get(path).send().await.expect(200)["status"].clone();
    say("one").await.expect(200);
    assert_eq!(told("/health").await, "healthy");
    server.store.faults.arm(Point::BeforeCommit, Action::DiskFull, 0);
    assert_eq!(say("two").await.code(), "disk_full");
    server.store.clock.advance(30_000);
    for path in ["/health", "/api/status"] {
        assert_eq!(told(path).await, "degraded", "{path}");
    }
    let reasons = server.get("/health").send().await.expect(200)["reasons"].clone();
    assert_eq!(reasons[0], "the disk is full and the last write was refused; free space, then write again");
    say("three").await.expect(200);
    assert_eq!(told("/health").await, "healthy");
}

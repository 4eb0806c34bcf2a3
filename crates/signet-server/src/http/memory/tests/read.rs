use serde_json::{Value, json};
use signet_model::Role;
use signet_store::control::credential::CredentialScope;

use super::{row, say, tell};
use crate::testing::TestServer;

#[tokio::test]
async fn a_row_has_both_spellings_and_the_types_of_old_clients() {
    let server = TestServer::start().await;
    let id = say(&server, "plain").await;
    let row = row(&server, &id).await;
    for (name, value) in [
        ("pinned", json!(0)),
        ("is_deleted", json!(0)),
        ("isDeleted", json!(0)),
        ("project", Value::Null),
        ("source_id", Value::Null),
        ("tags", Value::Null),
        ("created_at", json!("2026-03-04T14:25:00.000Z")),
        ("createdAt", json!("2026-03-04T14:25:00.000Z")),
        ("memory_kind", json!("episodic")),
        ("extraction_status", json!("none")),
        ("contentSafety", json!({ "status": "clean", "context_eligible": true, "reasons": [] })),
    ] {
        assert_eq!(row[name], value, "{name}");
    }
}

#[tokio::test]
async fn the_history_is_in_order_and_404_names_the_memory() {
    let server = TestServer::start().await;
    let id = say(&server, "one").await;
    let body = json!({ "content": "two", "reason": "better", "changed_by": "Ana B." });
    server
        .patch(&format!("/api/memory/{id}"))
        .header("x-signet-session-id", "s-1")
        .json(&body)
        .send()
        .await
        .expect(200);
    let history = server.get(&format!("/api/memory/{id}/history")).send().await.expect(200).clone();
    assert_eq!((&history["memoryId"], &history["count"]), (&json!(id), &json!(2)));
    let event = &history["history"][1];
    for (name, value) in [
        ("event", json!("updated")),
        ("oldContent", json!("one")),
        ("newContent", json!("two")),
        ("changedBy", json!("local:tester")),
        ("actorType", json!("operator")),
        ("reason", json!("better")),
        ("sessionId", json!("s-1")),
    ] {
        assert_eq!(event[name], value, "{name}");
    }
    assert_eq!(event["metadata"]["claimedBy"], "Ana B.");
    let missing = server.get("/api/memory/nobody/history").send().await;
    let expected = json!({ "error": "Not found", "code": "not_found", "memoryId": "nobody" });
    assert_eq!(missing.expect(404), &expected);
}

#[tokio::test]
async fn the_list_filters_pages_and_counts() {
    let server = TestServer::start().await;
    for n in 0..3 {
        server.store.clock.advance(1000);
        let importance = if n == 0 { 0.95 } else { 0.5 };
        tell(&server, json!({ "content": format!("item {n}"), "importance": importance, "tags": "t" })).await;
    }
    let page = server.get("/api/memories?limit=2&tags=t").send().await.expect(200).clone();
    assert_eq!((&page["limit"], &page["offset"], &page["hasMore"]), (&json!(2), &json!(0), &json!(true)));
    assert_eq!(page["stats"], json!({ "total": 3, "withEmbeddings": 0, "critical": 1 }));
    assert_eq!(page["memories"][0]["content"], "item 2");
    let by_weight = server.get("/api/memories?order=importance&limit=0").send().await.expect(200).clone();
    assert_eq!((&by_weight["memories"][0]["content"], &by_weight["limit"]), (&json!("item 0"), &json!(1)));
    let part = server.get("/api/memories?q=ITEM%201").send().await;
    assert_eq!(part.expect(200)["memories"].as_array().map(Vec::len), Some(1));
    let none = server.get("/api/memories?since=2027-01-01").send().await;
    assert_eq!(none.expect(200)["memories"], json!([]));
    server.get("/api/memories?limit=many").send().await.expect(400);
    assert_eq!(server.get("/api/memories/most-used").send().await.expect(200), &json!({ "memories": [] }));
    assert_eq!(server.get("/api/memory/review-queue").send().await.expect(200), &json!({ "memories": [] }));
}

#[tokio::test]
async fn the_bin_needs_the_permission_to_recover() {
    let server = TestServer::with(crate::testing::Setup {
        config: crate::config::ServerConfig {
            mode: crate::Mode::Team,
            ..crate::testing::Setup::default().config
        },
        ..crate::testing::Setup::default()
    })
    .await;
    let reader = server.token(Role::Readonly, CredentialScope::default());
    for path in ["/api/memories?deleted=1", "/api/memory/x?includeDeleted=1"] {
        let refused = server.get(path).bearer(&reader).send().await;
        assert_eq!((refused.status, refused.code()), (403, "permission_denied"), "{path}");
    }
    let agent = server.token(Role::Agent, CredentialScope::default());
    server.get("/api/memories?deleted=1").bearer(&agent).send().await.expect(200);
}

#[tokio::test]
async fn provenance_names_source_session_and_what_was_replaced() {
    let server = TestServer::start().await;
    let old = say(&server, "port 80").await;
    let body = json!({
        "content": "port 81", "supersedes": old, "sourceType": "chat", "sourceId": "c", "sourcePath": "p",
        "sessionKey": "sk", "sessionId": "si", "hints": ["which port is it?"],
    });
    let id = tell(&server, body).await["id"].clone();
    let path = format!("/api/memory/{}/provenance", id.as_str().expect("id"));
    let expected = json!({
        "memoryId": id, "source": { "type": "chat", "id": "c", "path": "p" },
        "session": { "id": "si", "key": "sk" }, "derivedFrom": [old], "hints": ["which port is it?"],
    });
    assert_eq!(server.get(&path).send().await.expect(200), &expected);
    assert_eq!(server.get("/api/memory/nobody/provenance").send().await.status, 404);
}

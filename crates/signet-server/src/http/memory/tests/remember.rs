use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use signet_model::embed::{BoxFuture, EmbeddingTracker, TrackerStatus};
use signet_model::{AgentId, MemoryId, Role};
use signet_store::control::credential::CredentialScope;

use super::{row, say, tell};
use crate::config::ServerConfig;
use crate::testing::{Setup, TestServer};

#[tokio::test]
async fn the_answer_says_what_was_stored() {
    let server = TestServer::start().await;
    let answer = tell(&server, json!({ "content": "critical: [Ops]: never drop the table" })).await;
    let id = answer["id"].clone();
    let expected = json!({
        "id": id, "type": "rule", "tags": "ops", "pinned": true, "importance": 1.0,
        "content": "never drop the table", "embedded": false, "entities_linked": 0, "hints_written": 0,
        "structured": false, "structured_applied": false,
        "contentSafety": { "status": "clean", "context_eligible": true, "reasons": [] },
    });
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn every_field_and_its_twin_reach_the_row() {
    let server = TestServer::start().await;
    let camel = json!({
        "content": "one", "who": "ben", "project": "/t/acme//app/", "importance": 0.25, "tags": ["a", "b"],
        "pinned": true, "type": "Rationale", "sourceType": "chat", "sourceId": "c-1", "source": "notes/a.md",
        "createdAt": "2026-01-02T03:04:05Z", "occurredAt": "2026-01-01", "observedAt": "2026-01-02T00:00:00+02:00",
        "sourceCreatedAt": "2025-12-31T00:00:00Z", "validFrom": "2026-01-01T00:00:00Z",
        "validUntil": "2026-02-01T00:00:00Z", "reviewAfter": "2026-03-01T00:00:00Z", "scope": "s",
        "visibility": "private", "runtimePath": "plugin", "sessionKey": "sk", "sessionId": "si",
        "idempotencyKey": "k-1", "agentId": "mira", "metadata": { "a": 1 },
    });
    let snake: Value = camel
        .as_object()
        .expect("object")
        .iter()
        .map(|(name, value)| {
            let snake = name.chars().fold(String::new(), |mut text, letter| {
                if letter.is_uppercase() {
                    text.push('_');
                }
                text.extend(letter.to_lowercase());
                text
            });
            (snake, value.clone())
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    for body in [camel, snake] {
        let server = TestServer::start().await;
        let told = tell(&server, body.clone()).await;
        let path = format!("/api/memory/{}?agentId=mira", told["id"].as_str().expect("id"));
        let row = server.get(&path).send().await.expect(200).clone();
        for (name, value) in [
            ("who", json!("ben")),
            ("project", json!("/t/acme/app")),
            ("importance", json!(0.25)),
            ("tags", json!("a,b")),
            ("pinned", json!(1)),
            ("type", json!("rationale")),
            ("source_type", json!("chat")),
            ("source_id", json!("c-1")),
            ("source_path", json!("notes/a.md")),
            ("created_at", json!("2026-01-02T03:04:05.000Z")),
            ("occurred_at", json!("2026-01-01T00:00:00.000Z")),
            ("observed_at", json!("2026-01-01T22:00:00.000Z")),
            ("source_created_at", json!("2025-12-31T00:00:00.000Z")),
            ("valid_from", json!("2026-01-01T00:00:00.000Z")),
            ("valid_until", json!("2026-02-01T00:00:00.000Z")),
            ("review_after", json!("2026-03-01T00:00:00.000Z")),
            ("scope", json!("s")),
            ("visibility", json!("private")),
            ("runtime_path", json!("plugin")),
            ("session_key", json!("sk")),
            ("session_id", json!("si")),
            ("idempotency_key", json!("k-1")),
            ("agent_id", json!("mira")),
            ("agentId", json!("mira")),
            ("validUntil", json!("2026-02-01T00:00:00.000Z")),
        ] {
            assert_eq!(row[name], value, "{name} of {body}");
        }
    }
    let missing = server.get("/api/memory/anything").send().await;
    assert_eq!(missing.expect(404), &json!({ "error": "not found", "code": "not_found" }));
}

#[tokio::test]
async fn wrong_calls_get_their_sentences() {
    let server = TestServer::start().await;
    for (body, sentence) in [
        (json!({}), "content is required"),
        (json!({ "content": "  \n" }), "content is required"),
        (json!({ "content": "critical: " }), "content is required"),
        (
            json!({ "content": "<signet-memory v=\"1\">x</signet-memory>" }),
            "content is only injected context",
        ),
        (json!({ "content": "x", "createdAt": "yesterday" }), "createdAt must be a valid ISO timestamp"),
        (json!({ "content": "x", "validUntil": "soon" }), "validUntil must be a valid ISO timestamp"),
        (json!({ "content": "x", "supersedes": "a b" }), "supersedes must be a memory id"),
        (
            json!({ "content": "word ".repeat(300), "supersedes": "m1" }),
            "supersedes cannot be combined with oversized content (auto-chunking)",
        ),
        (json!({ "content": "x", "structured": [] }), "structured must be an object"),
        (json!({ "content": "x", "tags": 5 }), "tags must be a string, string array, or null"),
        (json!({ "content": "x", "tags": ["a,b"] }), "tags must not have a comma inside an array item"),
        (
            json!({ "content": "x", "tags": ["t".repeat(65)] }),
            "tags must have items of at most 64 characters",
        ),
        (json!({ "content": "x", "visibility": "archived" }), "visibility must be one of: global, private"),
    ] {
        let answer = server.post("/api/memory/remember").json(&body).send().await;
        assert_eq!(answer.expect(400)["error"], sentence, "{body}");
    }
    let listed = server.get("/api/memories").send().await.expect(200)["memories"].clone();
    assert_eq!(listed, json!([]), "a refused call stores nothing");
}

#[tokio::test]
async fn a_text_above_the_limit_is_413_and_a_long_one_is_split() {
    let server = TestServer::start().await;
    let huge = json!({ "content": "x".repeat(5_000_001) });
    let refused = server.post("/api/memory/remember").json(&huge).send().await;
    assert_eq!(refused.expect(413)["code"], "body_too_large");
    let text = "A sentence about the garden.\n".repeat(60);
    for tags in [json!(["a", "b"]), json!("a,b"), Value::Null] {
        let server = TestServer::start().await;
        let told = tell(&server, json!({ "content": text, "tags": tags })).await;
        let ids = told["ids"].as_array().expect("ids").clone();
        assert_eq!((&told["chunked"], &told["chunk_count"]), (&json!(true), &json!(ids.len())));
        let mut joined = String::new();
        for id in &ids {
            joined.push_str(row(&server, id.as_str().expect("id")).await["content"].as_str().expect("text"));
        }
        assert_eq!(joined, text.trim_end());
        let again = tell(&server, json!({ "content": text })).await;
        assert_eq!(again["deduped_ids"], Value::Array(ids));
    }
}

#[tokio::test]
async fn a_repeat_is_the_stored_row_and_a_known_source_says_when_it_differs() {
    let server = TestServer::start().await;
    let first = tell(&server, json!({ "content": "old", "sourceId": "s", "tags": "a" })).await;
    let again = tell(&server, json!({ "content": "OLD!", "source_id": "s" })).await;
    assert_eq!((&again["id"], &again["deduped"], &again["tags"]), (&first["id"], &json!(true), &json!("a")));
    assert_eq!(again.get("contentDiffers"), None);
    let other = tell(&server, json!({ "content": "new", "sourceId": "s" })).await;
    assert_eq!((&other["id"], &other["contentDiffers"]), (&first["id"], &json!(true)));
    assert!(other["hint"].as_str().is_some_and(|hint| hint.contains(first["id"].as_str().expect("id"))));
    let new = tell(&server, json!({ "content": "new", "sourceId": "s", "supersedes": first["id"] })).await;
    assert_eq!(new["superseded"], first["id"]);
}

#[tokio::test]
async fn a_key_with_another_text_names_the_first_row() {
    let server = TestServer::start().await;
    let first = tell(&server, json!({ "content": "one", "idempotencyKey": "k" })).await;
    let body = json!({ "content": "two", "idempotencyKey": "k" });
    let refused = server.post("/api/memory/remember").json(&body).send().await;
    assert_eq!(refused.expect(409)["existingId"], first["id"]);
    assert_eq!(refused.code(), "idempotency_mismatch");
}

#[tokio::test]
async fn a_structured_payload_is_kept_and_honestly_not_applied() {
    let server = TestServer::start().await;
    let payload = json!({
        "entities": [{ "name": "Ana" }], "aspects": [{ "name": "home" }],
        "hints": ["Where does Ana live?"],
    });
    let told = tell(&server, json!({ "content": "Ana lives in Bern", "structured": payload })).await;
    assert_eq!((&told["structured"], &told["structured_applied"]), (&json!(true), &json!(false)));
    assert_eq!(told["hints_written"], 1);
    let result = &told["structured_result"];
    assert_eq!((&result["applied"], result["failed"].as_array().map(Vec::len)), (&json!(0), Some(2)));
    assert_eq!(result["failed"][1]["code"], "unsupported");
    let many = json!({ "content": "x", "structured": { "entities": vec![json!({}); 51] } });
    server.post("/api/memory/remember").json(&many).send().await.expect(400);
    let provenance = format!("/api/memory/{}/provenance", told["id"].as_str().expect("id"));
    let hints = server.get(&provenance).send().await.expect(200)["hints"].clone();
    assert_eq!(hints, json!(["Where does Ana live?"]));
}

#[tokio::test]
async fn a_transcript_is_501_and_stores_nothing() {
    let server = TestServer::start().await;
    let body = json!({ "content": "x", "sourceId": "s", "transcript": "user: hi" });
    let refused = server.post("/api/memory/remember").json(&body).send().await;
    assert_eq!(refused.expect(501)["code"], "unsupported");
    assert_eq!(server.store.number("SELECT count(*) FROM memories"), 0);
}

#[tokio::test]
async fn half_surrogates_and_nul_are_stored_repaired_and_found() {
    let server = TestServer::start().await;
    let body = br#"{"items":[{"content":"pelican \ud800 sings"},{"content":"walrus\u0000 naps"},{"content":"plain"}]}"#;
    let answer = server.post("/api/memory/remember-batch").bytes(body.to_vec()).send().await;
    let results = answer.expect(200)["results"].clone();
    assert_eq!((&answer.body["stored"], &answer.body["failed"]), (&json!(3), &json!(0)));
    assert_eq!(results[0]["content"], "pelican \u{fffd} sings");
    assert_eq!(
        (&results[0]["repaired"], &results[1]["repaired"]),
        (&json!(["content"]), &json!(["content"]))
    );
    assert_eq!(results[2].get("repaired"), None);
    let beside = server
        .post("/api/memory/remember")
        .bytes(br#"{"content":"x","who":"a\u0000b"}"#.to_vec())
        .send()
        .await;
    assert_eq!(beside.expect(200)["repaired"], json!(["who"]));
    let body =
        br#"{"content":"y","tags":["t\ud800"],"hints":["what is\u0000 it?"],"metadata":{"k":["\u0000"]}}"#;
    let beside = server.post("/api/memory/remember").bytes(body.to_vec()).send().await;
    assert_eq!(beside.expect(200)["repaired"], json!(["metadata", "tags", "hints"]));
    for word in ["pelican", "walrus"] {
        let found = server.get(&format!("/api/memory/search?q={word}")).send().await;
        assert_eq!(found.expect(200)["results"].as_array().map(Vec::len), Some(1), "{word}");
    }
}

#[tokio::test]
async fn times_without_a_zone_are_the_callers_and_said_to_be_assumed() {
    let server = TestServer::start().await;
    let ask = |time: &'static str| {
        server
            .post("/api/memory/remember")
            .header("x-signet-timezone", "Asia/Tokyo")
            .json(&json!({ "content": time, "createdAt": time }))
    };
    let told = ask("2026-03-04T23:30:00").send().await.expect(200).clone();
    assert_eq!(told["assumedTimezone"], "Asia/Tokyo");
    let stored = row(&server, told["id"].as_str().expect("id")).await;
    assert_eq!(stored["created_at"], "2026-03-04T14:30:00.000Z");
    let zoned = ask("2026-03-04T23:30:00Z").send().await.expect(200).clone();
    assert_eq!(zoned.get("assumedTimezone"), None);
}

#[tokio::test]
async fn a_batch_stores_each_or_all() {
    let server = TestServer::start().await;
    let items = json!([{ "content": "one" }, { "content": "" }, { "content": "one" }, { "content": "two", "tags": 5 }]);
    let all = json!({ "items": items, "atomic": true });
    let refused = server.post("/api/memory/remember-batch").json(&all).send().await;
    assert_eq!(refused.expect(400)["index"], 1);
    assert_eq!(server.store.number("SELECT count(*) FROM memories"), 0);
    let each = server.post("/api/memory/remember-batch").json(&json!({ "items": items })).send().await;
    let body = each.expect(200);
    assert_eq!((&body["stored"], &body["deduped"], &body["failed"]), (&json!(1), &json!(1), &json!(2)));
    assert_eq!(body["results"][1]["code"], "invalid_request");
    assert_eq!(body["results"][2]["id"], body["results"][0]["id"]);
    let other = json!({ "items": [{ "content": "x", "agentId": "mira" }] });
    let mixed = server.post("/api/memory/remember-batch").json(&other).send().await;
    assert_eq!((mixed.status, mixed.body["results"][0]["code"].as_str()), (200, Some("conflicting_fields")));
    assert_eq!(server.store.number("SELECT count(*) FROM memories WHERE agent_id = 'mira'"), 0);
}

#[tokio::test]
async fn the_older_paths_still_work() {
    let server = TestServer::start().await;
    for path in ["/api/memory/save", "/api/hook/remember"] {
        let answer = server.post(path).json(&json!({ "content": path })).send().await;
        answer.expect(200);
        assert_eq!(answer.header("deprecation"), "true");
    }
}

#[tokio::test]
async fn a_scoped_token_writes_only_where_it_may() {
    let server = TestServer::start().await;
    let scope = CredentialScope {
        project: Some("p1".to_owned()),
        user: Some("ana".to_owned()),
        ..CredentialScope::default()
    };
    let token = server.token(Role::Agent, scope);
    let ask = |body: Value| server.post("/api/memory/remember").bearer(&token).json(&body);
    let told = ask(json!({ "content": "mine" })).send().await.expect(200).clone();
    let stored = row(&server, told["id"].as_str().expect("id")).await;
    assert_eq!((&stored["project"], &stored["who"]), (&json!("p1"), &json!("ana")));
    let refused = ask(json!({ "content": "x", "project": "p2" })).send().await;
    assert_eq!(refused.expect(403)["error"], "scope restricted to project 'p1'");
    ask(json!({ "content": "x", "who": "ben" })).send().await.expect(403);
    let batch = json!({ "items": [{ "content": "in" }, { "content": "out", "project": "p2" }] });
    server.post("/api/memory/remember-batch").bearer(&token).json(&batch).send().await;
    assert_eq!(server.store.number("SELECT count(*) FROM memories WHERE project <> 'p1' OR who <> 'ana'"), 0);
}

#[tokio::test]
async fn a_forgotten_text_is_409_for_a_machine() {
    let server = TestServer::start().await;
    let id = say(&server, "the secret plan").await;
    server.delete(&format!("/api/memory/{id}?reason=gone")).send().await.expect(200);
    let ask = || server.post("/api/memory/remember").json(&json!({ "content": "The secret plan." }));
    let refused = ask().header("x-signet-actor-type", "harness").send().await;
    assert_eq!((refused.status, refused.code()), (409, "forgotten"));
    ask().send().await.expect(200);
}

#[tokio::test]
async fn the_kill_switch_stops_every_change() {
    let config = ServerConfig { mutations_frozen: true, ..Setup::default().config };
    let server = TestServer::with(Setup { config, ..Setup::default() }).await;
    let body = json!({
        "content": "x", "reason": "r", "items": [{ "content": "x" }], "patches": [{ "id": "a" }], "confirm": "a",
        "supersededBy": "b", "ids": ["a"],
    });
    for (method, path) in [
        ("POST", "/api/memory/remember"),
        ("POST", "/api/memory/remember-batch"),
        ("POST", "/api/memory/forget"),
        ("POST", "/api/memory/modify"),
        ("PATCH", "/api/memory/a"),
        ("DELETE", "/api/memory/a"),
        ("POST", "/api/memory/a/recover"),
        ("POST", "/api/memory/a/purge"),
        ("POST", "/api/memories/a/tombstone"),
        ("POST", "/api/memories/a/supersede"),
    ] {
        let refused = server.call(method, path).json(&body).send().await;
        assert_eq!(refused.expect(503)["error"], "Mutations are frozen (kill switch active)", "{path}");
    }
    server.get("/api/memories").send().await.expect(200);
}

/// Embeds at once, as an idle daemon does.
#[derive(Debug)]
struct Idle;

impl EmbeddingTracker for Idle {
    fn wake(&self) {}

    fn embed_now<'a>(&'a self, _: &'a AgentId, _: &'a MemoryId, _: Duration) -> BoxFuture<'a, bool> {
        Box::pin(async { true })
    }

    fn status(&self) -> TrackerStatus {
        TrackerStatus::default()
    }
}

#[tokio::test]
async fn an_idle_daemon_answers_with_the_vector_done() {
    let server = TestServer::with(Setup { tracker: Arc::new(Idle), ..Setup::default() }).await;
    assert_eq!(tell(&server, json!({ "content": "quick" })).await["embedded"], true);
    let busy = TestServer::start().await;
    assert_eq!(tell(&busy, json!({ "content": "quick" })).await["embedded"], false);
}

#[tokio::test]
async fn a_time_before_the_year_1_is_refused_by_its_field() {
    let server = TestServer::start().await;
    let tell = async |created: &str| {
        let body = json!({ "content": created, "createdAt": created });
        let told = server.post("/api/memory/remember").header("x-signet-timezone", "Asia/Tokyo").json(&body);
        told.send().await
    };
    for early in ["0000-01-01", "0000-12-31T00:00:00Z", "0001-01-01"] {
        assert_eq!(tell(early).await.expect(400)["field"], "createdAt", "{early}");
    }
    tell("0001-01-02").await.expect(200);
}

#[tokio::test]
async fn an_item_that_is_no_object_is_its_own_refusal() {
    let server = TestServer::start().await;
    let body = json!({ "items": [{ "content": "one" }, 5, null, { "content": "two" }] });
    let answer = server.post("/api/memory/remember-batch").json(&body).send().await;
    let answer = answer.expect(200);
    assert_eq!((&answer["stored"], &answer["failed"]), (&json!(2), &json!(2)));
    for index in [1, 2] {
        let result = &answer["results"][index];
        assert_eq!(result["code"], "invalid_request");
        assert_eq!(result["error"], format!("items[{index}] must be an object"));
    }
}

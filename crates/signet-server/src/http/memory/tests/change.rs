use serde_json::{Value, json};

use super::{row, say, tell};
use crate::testing::{Answer, TestServer};

async fn patch(server: &TestServer, id: &str, body: Value) -> Answer {
    server.patch(&format!("/api/memory/{id}")).json(&body).send().await
}

#[tokio::test]
async fn a_change_answers_its_versions() {
    let server = TestServer::start().await;
    let id = say(&server, "old words").await;
    let done =
        patch(&server, &id, json!({ "content": "new words", "reason": "fixed", "if_version": 1 })).await;
    let expected = json!({
        "id": id, "status": "updated", "currentVersion": 1, "newVersion": 2, "contentChanged": true,
        "embedded": false, "attentionCreated": 0,
    });
    assert_eq!(done.expect(200), &expected);
    let same = patch(&server, &id, json!({ "content": "new words", "reason": "again" })).await;
    assert_eq!(same.expect(200)["status"], "no_changes");
    let gone = server.get("/api/memory/search?q=old").send().await;
    assert_eq!(gone.expect(200)["results"], json!([]));
    let found = server.get("/api/memory/search?q=new").send().await;
    assert_eq!(found.expect(200)["results"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn refusals_name_row_status_and_version() {
    let server = TestServer::start().await;
    let (id, other) = (say(&server, "one").await, say(&server, "two").await);
    let conflict = patch(&server, &id, json!({ "content": "x", "reason": "r", "if_version": 7 })).await;
    let expected = json!({
        "error": "the memory is at version 1, not 7", "code": "version_conflict", "id": id,
        "status": "version_conflict", "currentVersion": 1,
    });
    assert_eq!(conflict.expect(409), &expected);
    let twin = patch(&server, &id, json!({ "content": "Two!", "reason": "r" })).await;
    assert_eq!(
        (&twin.expect(409)["duplicateMemoryId"], twin.code()),
        (&json!(other), "duplicate_content_hash")
    );
    let missing = patch(&server, "nobody", json!({ "content": "x", "reason": "r" })).await;
    assert_eq!(
        (&missing.expect(404)["status"], &missing.body["id"]),
        (&json!("not_found"), &json!("nobody"))
    );
    for (body, sentence) in [
        (json!({ "content": "x" }), "reason is required"),
        (json!({ "reason": "r" }), "at least one of content, type, tags, importance, pinned is required"),
        (json!({ "content": "x", "reason": "r", "if_version": 0 }), "if_version must be a positive integer"),
        (json!({ "tags": 5, "reason": "r" }), "tags must be a string, string array, or null"),
    ] {
        assert_eq!(patch(&server, &id, body.clone()).await.expect(400)["error"], sentence, "{body}");
    }
    let with_header = server
        .patch(&format!("/api/memory/{id}"))
        .header("x-signet-reason", "told")
        .json(&json!({ "pinned": true }));
    with_header.send().await.expect(200);
    let machine = server
        .patch(&format!("/api/memory/{other}"))
        .header("x-signet-actor-type", "harness")
        .json(&json!({ "content": "cleaned", "reason": "r" }))
        .send()
        .await;
    assert_eq!((machine.status, machine.code()), (409, "episodic_content_immutable"));
    let pinned = server
        .patch(&format!("/api/memory/{id}"))
        .header("x-signet-actor-type", "harness")
        .json(&json!({ "importance": 0.1, "reason": "r" }))
        .send()
        .await;
    assert_eq!((pinned.status, pinned.code()), (403, "machine_writer_denied"));
}

#[tokio::test]
async fn null_clears_tags_and_review() {
    let server = TestServer::start().await;
    let told = tell(&server, json!({ "content": "x y", "tags": "a", "reviewAfter": "2026-01-01" })).await;
    let id = told["id"].as_str().expect("id");
    patch(&server, id, json!({ "tags": null, "reviewAfter": null, "reason": "r" })).await.expect(200);
    let stored = row(&server, id).await;
    assert_eq!((&stored["tags"], &stored["review_after"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_change_says_what_it_repaired() {
    let server = TestServer::start().await;
    let id = say(&server, "x y").await;
    let body = json!({ "content": "x\0", "tags": ["a\0"], "reason": "r" });
    let done = patch(&server, &id, body).await;
    assert_eq!(done.expect(200)["repaired"], json!(["content", "tags"]));
    let plain = patch(&server, &id, json!({ "content": "z", "reason": "r" })).await;
    assert_eq!(plain.expect(200).get("repaired"), None);
}

#[tokio::test]
async fn many_changes_stand_or_fall_alone() {
    let server = TestServer::start().await;
    let (one, two) = (say(&server, "one").await, say(&server, "two").await);
    let body = json!({ "reason": "tidy", "patches": [
        { "id": one, "tags": "a" },
        { "id": one, "importance": 7 },
        { "id": "nobody", "tags": "a" },
        { "id": two, "content": "one" },
        { "id": two, "importance": 0.8 },
        "no object",
    ] });
    let done = server.post("/api/memory/modify").json(&body).send().await;
    let body = done.expect(200);
    assert_eq!((&body["total"], &body["updated"]), (&json!(6), &json!(1)));
    let statuses: Vec<&str> = body["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|r| r["status"].as_str().expect("status"))
        .collect();
    let expected = ["updated", "invalid_request", "not_found", "duplicate_content_hash", "no_changes"];
    assert_eq!(statuses[..5], expected);
    assert_eq!(statuses[5..], ["invalid_request"]);
    assert_eq!(body["results"][5]["error"], "patches[5] must be an object");
    assert_eq!(body["results"][2]["id"], "nobody");
    for empty in [json!({ "reason": "r" }), json!({ "reason": "r", "patches": [] })] {
        let refused = server.post("/api/memory/modify").json(&empty).send().await;
        assert_eq!(refused.expect(400)["error"], "patches[] is required");
    }
}

#[tokio::test]
async fn superseding_says_by_what() {
    let server = TestServer::start().await;
    let (old, new) = (say(&server, "port 80").await, say(&server, "port 81").await);
    let path = format!("/api/memories/{old}/supersede");
    let body = json!({ "superseded_by": new, "reason": "moved" });
    let done = server.post(&path).json(&body).send().await;
    let expected = json!({ "id": old, "status": "superseded", "supersededBy": new, "currentVersion": 1, "newVersion": 2 });
    assert_eq!(done.expect(200), &expected);
    assert_eq!(server.post(&path).json(&body).send().await.expect(409)["status"], "already_superseded");
    let listed = server.get("/api/memories").send().await.expect(200)["memories"].clone();
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
}

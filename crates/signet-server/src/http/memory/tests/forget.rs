use serde_json::{Value, json};
use signet_model::Role;
use signet_store::control::credential::CredentialScope;

use super::{row, say, tell};
use crate::testing::{Answer, TestServer};

async fn batch(server: &TestServer, body: Value) -> Answer {
    server.post("/api/memory/forget").json(&body).send().await
}

#[tokio::test]
async fn forget_and_recover_by_every_path() {
    let server = TestServer::start().await;
    let id = say(&server, "Ana likes quokkas").await;
    let path = format!("/api/memory/{id}");
    assert_eq!(server.delete(&path).send().await.expect(400)["error"], "reason is required");
    let gone = server.delete(&path).json(&json!({ "reason": "old" })).send().await;
    let expected = json!({
        "id": id, "status": "deleted", "currentVersion": 1, "newVersion": 2,
        "recoverableUntil": "2026-04-03T14:25:00.000Z",
    });
    assert_eq!(gone.expect(200), &expected);
    assert_eq!(
        server.get(&path).send().await.expect(404),
        &json!({ "error": "not found", "code": "not_found" })
    );
    let search = server.get("/api/memory/search?q=quokkas").send().await;
    assert_eq!(search.expect(200)["results"], json!([]));
    assert_eq!(server.get(&format!("{path}?includeDeleted=1")).send().await.expect(200)["is_deleted"], 1);
    let bin = server.get("/api/memories?deleted=1").send().await;
    assert_eq!(bin.expect(200)["memories"][0]["id"], json!(id));
    let twice =
        server.post(&format!("/api/memories/{id}/tombstone")).json(&json!({ "reason": "r" })).send().await;
    assert_eq!(
        (&twice.expect(409)["status"], &twice.body["currentVersion"]),
        (&json!("already_deleted"), &json!(2))
    );
    let back = server.post(&format!("{path}/recover")).json(&json!({ "reason": "needed" })).send().await;
    let expected = json!({
        "id": id, "status": "recovered", "currentVersion": 2, "newVersion": 3, "retentionDays": 30,
    });
    assert_eq!(back.expect(200), &expected);
    let search = server.get("/api/memory/search?q=quokkas").send().await;
    assert_eq!(search.expect(200)["results"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn recover_names_the_twin_and_the_end_of_the_window() {
    let server = TestServer::start().await;
    let id = say(&server, "back soon").await;
    let recover = || server.post(&format!("/api/memory/{id}/recover")).json(&json!({ "reason": "r" }));
    assert_eq!(recover().send().await.expect(409)["status"], "not_deleted");
    server.delete(&format!("/api/memory/{id}?reason=r")).send().await.expect(200);
    let twin = say(&server, "Back soon!").await;
    let refused = recover().send().await;
    assert_eq!(
        (&refused.expect(409)["duplicateMemoryId"], refused.code()),
        (&json!(twin), "duplicate_content_hash")
    );
    let machine = recover().header("x-signet-actor-type", "sdk").send().await;
    assert_eq!((machine.status, machine.code()), (403, "machine_writer_denied"));
    server.store.clock.advance_days(31);
    assert_eq!(recover().send().await.expect(409)["status"], "retention_expired");
}

#[tokio::test]
async fn pins_need_force_and_a_person() {
    let server = TestServer::start().await;
    let told = tell(&server, json!({ "content": "pin", "pinned": true })).await;
    let path = format!("/api/memory/{}?reason=r", told["id"].as_str().expect("id"));
    assert_eq!(server.delete(&path).send().await.expect(409)["code"], "pinned_requires_force");
    let forced = format!("{path}&force=true");
    let machine = server.delete(&forced).header("x-signet-actor-type", "harness").send().await;
    assert_eq!((machine.status, machine.code()), (403, "autonomous_force_denied"));
    server.delete(&forced).send().await.expect(200);
}

#[tokio::test]
async fn only_a_preview_hands_the_token_out() {
    let server = TestServer::start().await;
    for n in 0..26 {
        server.store.clock.advance(1000);
        tell(&server, json!({ "content": format!("note {n}"), "type": "note" })).await;
    }
    let all = json!({ "type": "note", "limit": 100 });
    let with = |more: Value| {
        let mut body = all.clone();
        body.as_object_mut().expect("object").extend(more.as_object().expect("object").clone());
        body
    };
    let preview = batch(&server, all.clone()).await.expect(200).clone();
    assert_eq!(
        (&preview["mode"], &preview["count"], &preview["requiresConfirm"]),
        (&json!("preview"), &json!(26), &json!(true))
    );
    assert_eq!(preview["candidates"][0]["excerpt"], "note 25");
    let token = preview["confirmToken"].as_str().expect("token").to_owned();
    assert_eq!(token.len(), 32);
    let no_reason = batch(&server, with(json!({ "mode": "execute" }))).await;
    assert_eq!(no_reason.expect(400)["error"], "reason is required for execute mode");
    let narrower = batch(&server, json!({ "type": "note", "limit": 25 })).await.expect(200).clone();
    assert_eq!(narrower["requiresConfirm"], false);
    for wrong in [Value::Null, narrower["confirmToken"].clone()] {
        let refused =
            batch(&server, with(json!({ "mode": "execute", "reason": "r", "confirm_token": wrong }))).await;
        let expected = json!({
            "error": "confirm_token is required for large forget operations; run preview first",
            "code": "confirm_token_required", "requiresConfirm": true, "count": 26,
        });
        assert_eq!(refused.expect(400), &expected);
        assert!(!String::from_utf8_lossy(&refused.bytes).contains(&token));
    }
    server.store.clock.advance(1000);
    let late = tell(&server, json!({ "content": "note late", "type": "note" })).await;
    let stale =
        batch(&server, with(json!({ "mode": "execute", "reason": "r", "confirmToken": token }))).await;
    assert_eq!(stale.code(), "confirm_token_required", "the set has changed");
    let path = format!("/api/memory/{}?reason=r", late["id"].as_str().expect("id"));
    server.delete(&path).send().await.expect(200);
    let done = batch(&server, with(json!({ "mode": "execute", "reason": "r", "confirmToken": token }))).await;
    assert_eq!((&done.expect(200)["requested"], &done.body["deleted"]), (&json!(26), &json!(26)));
}

#[tokio::test]
async fn a_batch_needs_a_selector_and_has_a_result_for_each_id() {
    let server = TestServer::start().await;
    let sentence = "query, ids, or at least one filter (type/tags/who/source_type/since/until) is required";
    for body in
        [json!({}), json!({ "project": "p", "scope": "s" }), json!({ "ids": [], "query": " ", "tags": "" })]
    {
        assert_eq!(batch(&server, body.clone()).await.expect(400)["error"], sentence, "{body}");
    }
    batch(&server, json!({ "ids": ["a"], "if_version": 1 })).await.expect(400);
    let id = say(&server, "one").await;
    let pinned = tell(&server, json!({ "content": "two", "pinned": true })).await["id"].clone();
    let ids = json!([id, pinned, "nobody"]);
    let preview = batch(&server, json!({ "ids": ids })).await;
    assert_eq!((&preview.expect(200)["missing"], &preview.body["count"]), (&json!(["nobody"]), &json!(2)));
    let done = batch(&server, json!({ "ids": ids, "mode": "execute", "reason": "r" })).await;
    let body = done.expect(200);
    assert_eq!((&body["requested"], &body["deleted"]), (&json!(3), &json!(1)));
    let statuses: Vec<(&str, &str)> = body["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|item| (item["id"].as_str().expect("id"), item["status"].as_str().expect("status")))
        .collect();
    let pinned = pinned.as_str().expect("id");
    assert_eq!(
        statuses,
        [(id.as_str(), "deleted"), (pinned, "pinned_requires_force"), ("nobody", "not_found")]
    );
}

#[tokio::test]
async fn a_query_selects_what_recall_finds_and_counts_no_access() {
    let server = TestServer::start().await;
    let id = say(&server, "The tapir sleeps by day").await;
    say(&server, "Bob likes tea").await;
    let preview = batch(&server, json!({ "query": "tapir" })).await.expect(200).clone();
    assert_eq!((&preview["count"], &preview["candidates"][0]["id"]), (&json!(1), &json!(id)));
    assert!(preview["candidates"][0]["score"].as_f64().is_some_and(|score| score > 0.0));
    assert_eq!(row(&server, &id).await["access_count"], 0);
}

#[tokio::test]
async fn a_purge_answers_its_receipt_and_an_erase_leaves_no_text() {
    let server = TestServer::start().await;
    let id = say(&server, "zyzzyva words").await;
    let path = format!("/api/memory/{id}/purge");
    for body in [json!({ "reason": "r" }), json!({ "reason": "r", "confirm": "other" })] {
        assert_eq!(server.post(&path).json(&body).send().await.expect(400)["field"], "confirm");
    }
    let body = json!({ "reason": "private", "confirm": id, "erase": true });
    let agent = server.token(Role::Agent, CredentialScope::default());
    server.post(&path).bearer(&agent).json(&body).send().await.expect(403);
    let machine = server.post(&path).header("x-signet-actor-type", "daemon").json(&body).send().await;
    assert_eq!((machine.status, machine.code()), (403, "machine_writer_denied"));
    let gone = server.post(&path).json(&body).send().await;
    let answer = gone.expect(200);
    assert_eq!(
        (&answer["memoryId"], &answer["erased"], &answer["backupsHolding"]),
        (&json!(id), &json!(true), &json!([]))
    );
    let receipt = answer["receiptId"].as_str().expect("receipt").to_owned();
    let stored = server.get(&format!("/api/receipts/{receipt}")).send().await.expect(200).clone();
    assert_eq!((&stored["mode"], &stored["receipt"]["remaining"]), (&json!("erase"), &json!([])));
    let listed = server.get("/api/receipts").send().await;
    assert_eq!(listed.expect(200)["receipts"][0]["id"], json!(receipt));
    assert_eq!(server.get("/api/receipts/none").send().await.status, 404);
    let history = server.get(&format!("/api/memory/{id}/history")).send().await.expect(200).clone();
    assert!(!history.to_string().contains("zyzzyva"));
    assert_eq!(history["history"][3]["event"], "erased");
    let again = json!({ "content": "zyzzyva words" });
    let refused =
        server.post("/api/memory/remember").header("x-signet-actor-type", "sdk").json(&again).send().await;
    assert_eq!(refused.code(), "forgotten");
}

#[tokio::test]
async fn an_erased_text_is_not_given_again_by_its_request_key() {
    let server = TestServer::start().await;
    let body = json!({ "content": "zyzzyva words" });
    let send = || server.post("/api/memory/remember").header("idempotency-key", "k").json(&body);
    let first = send().send().await.expect(200)["id"].clone();
    assert_eq!(send().send().await.expect(200)["id"], first, "the kept answer");
    let id = first.as_str().expect("id");
    let erase = json!({ "reason": "private", "confirm": id, "erase": true });
    let gone = server.post(&format!("/api/memory/{id}/purge")).json(&erase).send().await;
    let removed = gone.expect(200)["removed"].clone();
    let counted = json!({ "store": "idempotency_keys", "count": 1 });
    assert!(removed.as_array().expect("stores").contains(&counted), "{removed}");
    assert_eq!(server.store.number("SELECT count(*) FROM idempotency_keys"), 0);
    let machine = send().header("x-signet-actor-type", "harness").send().await;
    assert_eq!((machine.status, machine.code()), (409, "forgotten"));
    let person = send().send().await;
    assert_ne!(person.expect(200)["id"], first, "a person states it anew");
}

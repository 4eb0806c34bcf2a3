use serde_json::{Value, json};
use signet_model::Role;
use signet_store::control::credential::CredentialScope;

use crate::testing::TestServer;

async fn make(server: &TestServer, body: Value) -> u16 {
    server.post("/api/agents").json(&body).send().await.status
}

#[tokio::test]
async fn agents_are_made_listed_and_changed() {
    let server = TestServer::start().await;
    let made = server.post("/api/agents").json(&json!({ "name": "mira" })).send().await;
    let mira = json!({ "id": "mira", "name": "mira", "read_policy": "isolated", "policy_group": null });
    assert_eq!(made.expect(201), &mira);
    let taken = server.post("/api/agents").json(&json!({ "name": "mira" })).send().await;
    assert_eq!(taken.expect(409)["code"], "already_exists");
    for body in [json!({}), json!({ "name": "Mira" }), json!({ "name": "-x" }), json!({ "name": "a b" })] {
        assert_eq!(make(&server, body.clone()).await, 400, "{body}");
    }
    assert_eq!(make(&server, json!({ "name": "g", "read_policy": "group" })).await, 400);
    let changed = server
        .patch("/api/agents/mira")
        .json(&json!({ "readPolicy": "group", "policyGroup": "blue" }))
        .send()
        .await;
    assert_eq!(
        (&changed.expect(200)["read_policy"], &changed.body["policy_group"]),
        (&json!("group"), &json!("blue"))
    );
    let listed = server.get("/api/agents").send().await.expect(200)["agents"].clone();
    let names: Vec<&str> =
        listed.as_array().expect("agents").iter().filter_map(|a| a["name"].as_str()).collect();
    assert_eq!(names, ["default", "mira"]);
    server.get("/api/agents/nobody").send().await.expect(404);
    server.patch("/api/agents/nobody").json(&json!({ "readPolicy": "shared" })).send().await.expect(404);
}

async fn say(server: &TestServer, agent: &str, content: &str, visibility: &str) -> String {
    let body = json!({ "content": content, "agentId": agent, "visibility": visibility });
    let told = server.post("/api/memory/remember").json(&body).send().await;
    told.expect(200)["id"].as_str().expect("id").to_owned()
}

#[tokio::test]
async fn a_first_write_makes_an_isolated_agent() {
    let server = TestServer::start().await;
    say(&server, "mira", "hello", "global").await;
    let agent = server.get("/api/agents/mira").send().await.expect(200).clone();
    assert_eq!((&agent["read_policy"], &agent["memory_count"]), (&json!("isolated"), &json!(1)));
}

#[tokio::test]
async fn a_policy_change_is_seen_by_the_next_read() {
    let server = TestServer::start().await;
    let id = say(&server, "default", "for all", "global").await;
    let secret = say(&server, "default", "for me", "private").await;
    say(&server, "mira", "own", "private").await;
    let seen = async |id: &str| server.get(&format!("/api/memory/{id}?agentId=mira")).send().await.status;
    assert_eq!(seen(&id).await, 404);
    server.patch("/api/agents/mira").json(&json!({ "readPolicy": "shared" })).send().await.expect(200);
    assert_eq!((seen(&id).await, seen(&secret).await), (200, 404));
    let page = server.get("/api/memories?agentId=mira").send().await.expect(200).clone();
    let shown = page["memories"].as_array().expect("memories").len();
    assert_eq!((shown, &page["stats"]["total"]), (2, &json!(2)), "the numbers belong to the list");
    let change = server.patch(&format!("/api/memory/{id}?agentId=mira"));
    let refused = change.json(&json!({ "content": "mine now", "reason": "r" })).send().await;
    assert_eq!(refused.status, 404, "a shared row is read, never changed");
}

#[tokio::test]
async fn an_agent_is_archived_or_removed_with_a_receipt() {
    let server = TestServer::start().await;
    let id = say(&server, "mira", "one", "global").await;
    say(&server, "zoe", "two", "global").await;
    server.delete("/api/agents/default").send().await.expect(400);
    server.delete("/api/agents/nobody").send().await.expect(404);
    let archived = server.delete("/api/agents/mira").send().await;
    assert_eq!(archived.expect(200), &json!({ "name": "mira", "status": "archived", "archived": 1 }));
    let row = server.get(&format!("/api/memory/{id}?agentId=mira")).send().await;
    assert_eq!(row.expect(200)["visibility"], "archived");
    server.get("/api/agents/mira").send().await.expect(404);
    server.delete("/api/agents/zoe?purge=true").send().await.expect(400);
    let purged = server.delete("/api/agents/zoe?purge=true&confirm=zoe").send().await.expect(200).clone();
    assert_eq!(purged["status"], "purged");
    let path = format!("/api/receipts/{}?agentId=zoe", purged["receiptId"].as_str().expect("receipt"));
    assert_eq!(server.get(&path).send().await.expect(200)["mode"], "agent");
    assert_eq!(server.store.number("SELECT count(*) FROM memories WHERE agent_id = 'zoe'"), 0);
}

#[tokio::test]
async fn a_credential_for_a_part_of_an_agent_does_not_administer_the_agent() {
    let server = TestServer::start().await;
    let id = say(&server, "mira", "one", "global").await;
    let project = CredentialScope { project: Some("/p".to_owned()), ..CredentialScope::default() };
    let user = CredentialScope { user: Some("ana".to_owned()), ..CredentialScope::default() };
    for scope in [project, user] {
        let token = server.token(Role::Admin, scope.clone());
        for call in [
            server.delete("/api/agents/mira"),
            server.delete("/api/agents/mira?purge=true&confirm=mira"),
            server.patch("/api/agents/mira").json(&json!({ "readPolicy": "shared" })),
            server.post("/api/agents").json(&json!({ "name": "new" })),
        ] {
            let refused = call.bearer(&token).send().await;
            assert_eq!((refused.status, refused.code()), (403, "scope_restricted"), "{scope:?}");
        }
        let receipts = server.get("/api/receipts?agentId=mira").bearer(&token).send().await;
        assert_eq!(receipts.expect(200), &json!({ "receipts": [] }));
    }
    server.get(&format!("/api/memory/{id}?agentId=mira")).send().await.expect(200);

    let own = CredentialScope { agent: Some("mira".to_owned()), ..CredentialScope::default() };
    let token = server.token(Role::Admin, own);
    server.delete("/api/agents/zoe").bearer(&token).send().await.expect(404);
    let purged = server.delete("/api/agents/mira?purge=true&confirm=mira").bearer(&token).send().await;
    let receipt = format!("/api/receipts/{}", purged.expect(200)["receiptId"].as_str().expect("receipt"));
    server.get(&receipt).bearer(&token).send().await.expect(200);
    let part = CredentialScope { project: Some("/p".to_owned()), agent: Some("mira".to_owned()), user: None };
    server.get(&receipt).bearer(&server.token(Role::Admin, part)).send().await.expect(404);
}

//! Credentials through the surface: made, used, narrowed, revoked, handed over.

use serde_json::{Value, json};
use signet_model::Role;
use signet_server::config::{Mode, ServerConfig};
use signet_server::testing::{Answer, Setup, TestServer, loopback, remote};
use signet_store::control::credential::CredentialScope;

async fn server(mode: Mode) -> TestServer {
    let base = Setup::default();
    TestServer::with(Setup { config: ServerConfig { mode, ..base.config }, ..base }).await
}

fn scope(agent: &str) -> CredentialScope {
    CredentialScope { agent: Some(agent.to_owned()), ..CredentialScope::default() }
}

async fn whoami(server: &TestServer, credential: &str) -> Value {
    server.get("/api/auth/whoami").bearer(credential).peer(remote()).send().await.expect(200).clone()
}

async fn make(server: &TestServer, maker: &str, body: &Value) -> Answer {
    server.post("/api/auth/token").bearer(maker).json(body).send().await
}

#[tokio::test]
async fn whoami_tells_each_caller_what_it_is_and_is_never_401() {
    let server = server(Mode::Hybrid).await;
    let local = server.get("/api/auth/whoami").send().await;
    let all = [
        "remember",
        "recall",
        "modify",
        "forget",
        "recover",
        "documents",
        "connectors",
        "diagnostics",
        "analytics",
        "review",
        "admin",
    ];
    assert_eq!(
        *local.expect(200),
        json!({
            "authenticated": true, "mode": "hybrid", "trustedLocal": true, "claims": null,
            "effectiveAccess": "full", "permissions": all,
        })
    );
    let stranger = server.get("/api/auth/whoami").peer(remote()).send().await;
    assert_eq!(
        *stranger.expect(200),
        json!({
            "authenticated": false, "mode": "hybrid", "trustedLocal": false, "claims": null,
            "effectiveAccess": "none", "permissions": [],
        })
    );
    let bad = whoami(&server, "nonsense").await;
    assert_eq!((&bad["authenticated"], &bad["error"]), (&json!(false), &json!("malformed token")));
    let agent = whoami(&server, &server.token(Role::Agent, scope("alice"))).await;
    assert_eq!(agent["effectiveAccess"], "scoped");
    assert_eq!(agent["claims"]["scope"], json!({"agent": "alice"}));
    assert_eq!(
        agent["permissions"],
        json!(["remember", "recall", "modify", "forget", "recover", "documents"])
    );
}

#[tokio::test]
async fn in_local_mode_a_stale_credential_is_shown_and_harmless() {
    let server = server(Mode::Local).await;
    let answer = server.get("/api/auth/whoami").bearer("stale").send().await;
    assert_eq!(answer.expect(200)["error"], "malformed token");
    assert_eq!(answer.body["trustedLocal"], true);
    server.get("/api/status").bearer("stale").send().await.expect(200);
    let readonly = server.token(Role::Readonly, CredentialScope::default());
    let refused =
        server.post("/api/auth/token").bearer(&readonly).json(&json!({"role": "agent"})).send().await;
    assert_eq!(refused.expect(403)["error"], "role 'readonly' lacks 'admin' permission");
}

#[tokio::test]
async fn a_forwarded_request_is_remote() {
    let server = server(Mode::Hybrid).await;
    server.get("/api/status").send().await.expect(200);
    server.get("/api/status").header("x-forwarded-for", "203.0.113.1").send().await.expect(401);
    let host = server.get("/api/status").header("x-forwarded-host", "localhost").peer(remote()).send().await;
    host.expect(401);
}

#[tokio::test]
async fn a_token_is_made_listed_and_revoked_at_once() {
    let server = server(Mode::Team).await;
    let admin = server.token(Role::Admin, CredentialScope::default());
    let made =
        make(&server, &admin, &json!({"role": "agent", "scope": {"agent": "alice"}, "ttlSeconds": 3600}))
            .await;
    let (token, jti) = (made.expect(200)["token"].as_str().expect("token"), made.body["jti"].clone());
    assert_eq!(made.body["expiresAt"], "2026-03-04T15:25:00.000Z");
    assert_eq!(whoami(&server, token).await["authenticated"], true);

    let listed = server.get("/api/auth/tokens").bearer(&admin).send().await;
    let expect = json!({
        "jti": jti, "sub": "token:agent", "role": "agent", "scope": {"agent": "alice"},
        "createdAt": "2026-03-04T14:25:00.000Z", "expiresAt": "2026-03-04T15:25:00.000Z",
        "revokedAt": null, "createdBy": "token:admin",
    });
    let mut row = listed.expect(200)["tokens"][0].clone();
    row.as_object_mut().expect("row").remove("lastUsedAt");
    assert_eq!(row, expect);
    assert!(!String::from_utf8_lossy(&listed.bytes).contains(token), "the list never holds a token");

    let path = format!("/api/auth/tokens/{}", jti.as_str().expect("jti"));
    let revoked = server.delete(&path).bearer(&admin).send().await;
    assert_eq!(
        *revoked.expect(200),
        json!({"jti": jti, "revoked": true, "alreadyRevoked": false, "renewed": []})
    );
    let refused = server.get("/api/status").bearer(token).send().await;
    assert_eq!(
        (refused.expect(401)["error"].as_str(), refused.code()),
        (Some("token revoked"), "token_revoked")
    );
    assert_eq!(server.delete(&path).bearer(&admin).send().await.expect(200)["alreadyRevoked"], true);
    server.delete("/api/auth/tokens/unknown").bearer(&admin).send().await.expect(404);
}

#[tokio::test]
async fn a_revocation_survives_a_restart() {
    let server = server(Mode::Team).await;
    let admin = server.token(Role::Admin, CredentialScope::default());
    let made = make(&server, &admin, &json!({"role": "agent"})).await;
    let token = made.expect(200)["token"].as_str().expect("token").to_owned();
    let path = format!("/api/auth/tokens/{}", made.body["jti"].as_str().expect("jti"));
    server.delete(&path).bearer(&admin).send().await.expect(200);
    let again = server.restart().await;
    assert_eq!(again.get("/api/status").bearer(&token).send().await.code(), "token_revoked");
    again.get("/api/status").bearer(&admin).send().await.expect(200);
}

#[tokio::test]
async fn nobody_gives_more_than_he_has() {
    let server = server(Mode::Team).await;
    let narrow =
        CredentialScope { project: Some("/t/app".to_owned()), agent: Some("alice".to_owned()), user: None };
    let maker = server.token(Role::Admin, narrow);
    let filled = make(&server, &maker, &json!({"role": "agent"})).await;
    let claims = whoami(&server, filled.expect(200)["token"].as_str().expect("token")).await;
    assert_eq!(claims["claims"]["scope"], json!({"project": "/t/app", "agent": "alice"}));
    for (scope, sentence) in [
        (json!({"agent": "bob"}), "scope restricted to agent 'alice'"),
        (json!({"project": "/t/other"}), "scope restricted to project '/t/app'"),
    ] {
        let refused = make(&server, &maker, &json!({"role": "agent", "scope": scope})).await;
        assert_eq!(refused.expect(403)["error"], sentence);
    }
    let claims = signet_server::auth::token::Claims {
        sub: "limited".to_owned(),
        name: None,
        scope: CredentialScope::default(),
        role: "admin".to_owned(),
        permissions: Some(vec!["admin".to_owned(), "recall".to_owned()]),
        iat: Some(1_772_634_000),
        exp: Some(1_772_638_000),
        jti: None,
    };
    let limited = server.sign(&claims);
    let refused = make(&server, &limited, &json!({"role": "agent"})).await;
    assert_eq!(refused.expect(403)["permission"], "remember");
    make(&server, &limited, &json!({"role": "readonly"})).await.expect(200);
    let lacking = server.get("/api/status/workspace").bearer(&limited).send().await;
    assert_eq!(lacking.expect(403)["error"], "credential lacks 'diagnostics' permission");
}

#[tokio::test]
async fn a_role_that_is_none_has_its_sentence() {
    let server = server(Mode::Local).await;
    for body in [json!({}), json!({"role": "king"}), json!({"role": 1})] {
        let refused = server.post("/api/auth/token").json(&body).send().await;
        assert_eq!(refused.expect(400)["error"], "role must be one of: admin, operator, agent, readonly");
    }
}

#[tokio::test]
async fn an_api_key_is_shown_once_works_and_ends() {
    let server = server(Mode::Team).await;
    let admin = server.token(Role::Admin, CredentialScope::default());
    let body =
        json!({"name": "codex", "harness": "codex", "agentId": "alice", "expiresAt": "2026-03-05T00:00:00Z"});
    let made = server.post("/api/auth/api-keys").bearer(&admin).json(&body).send().await;
    let row = made.expect(201)["apiKey"].clone();
    let key = row["key"].as_str().expect("key").to_owned();
    assert!(key.starts_with(&format!("sig_sk_{}_", row["prefix"].as_str().expect("prefix"))));
    assert_eq!(row["permissions"], json!(["recall", "remember", "documents"]));
    assert_eq!(row["scope"], json!({"agent": "alice"}));

    let who = whoami(&server, &key).await;
    assert_eq!(who["claims"]["sub"], format!("api-key:{}", row["id"].as_str().expect("id")));
    assert_eq!(who["permissions"], json!(["remember", "recall", "documents"]));
    let foreign = server.get("/api/status?agentId=bob").bearer(&key).send().await;
    assert_eq!(foreign.expect(403)["error"], "scope restricted to agent 'alice'");
    assert_eq!(server.get("/api/status").bearer(&key).send().await.expect(200)["agentId"], "alice");

    let listed = server.get("/api/auth/api-keys").bearer(&admin).send().await;
    assert_eq!(listed.expect(200)["apiKeys"][0]["id"], row["id"]);
    assert!(!String::from_utf8_lossy(&listed.bytes).contains(&key));

    let path = format!("/api/auth/api-keys/{}", &row["prefix"].as_str().expect("prefix")[..6]);
    let revoked = server.delete(&path).bearer(&admin).send().await;
    assert_eq!(revoked.expect(200)["apiKey"]["revokedAt"], "2026-03-04T14:25:00.000Z");
    assert_eq!(server.get("/api/status").bearer(&key).send().await.code(), "api_key_revoked");
    server.delete("/api/auth/api-keys/ffffffffffff").bearer(&admin).send().await.expect(404);
}

#[tokio::test]
async fn a_key_ends_by_its_time_and_others_do_not_verify() {
    let server = server(Mode::Team).await;
    let admin = server.token(Role::Admin, CredentialScope::default());
    let body = json!({"name": "short", "expires_at": "2026-03-04T14:26:00Z"});
    let made = server.post("/api/auth/api-keys").bearer(&admin).json(&body).send().await;
    let key = made.expect(201)["apiKey"]["key"].as_str().expect("key").to_owned();
    server.get("/api/status").bearer(&key).send().await.expect(200);
    let last = if key.ends_with('A') { "B" } else { "A" };
    let other = format!("{}{last}", &key[..key.len() - 1]);
    assert_eq!(server.get("/api/status").bearer(&other).send().await.code(), "invalid_api_key");
    assert_eq!(server.get("/api/status").bearer("sig_sk_short").send().await.code(), "malformed_api_key");
    server.store.clock.advance(60_000);
    assert_eq!(server.get("/api/status").bearer(&key).send().await.code(), "api_key_expired");
}

#[tokio::test]
async fn a_session_is_renewed_with_the_same_rights() {
    let server = server(Mode::Team).await;
    let token = server.token(Role::Agent, scope("alice"));
    let renewed = server.post("/api/auth/session").bearer(&token).send().await;
    assert_eq!(renewed.expect(200)["expiresAt"], "2026-03-05T14:25:00.000Z");
    let (old, new) = (
        whoami(&server, &token).await,
        whoami(&server, renewed.body["token"].as_str().expect("token")).await,
    );
    for part in ["permissions", "effectiveAccess"] {
        assert_eq!(old[part], new[part]);
    }
    assert_eq!(old["claims"]["scope"], new["claims"]["scope"]);
    let local = self::server(Mode::Local).await;
    local.post("/api/auth/session").send().await.expect(400);
}

#[tokio::test]
async fn a_handoff_code_becomes_a_token_once() {
    let server = server(Mode::Team).await;
    let token = server.token(Role::Readonly, CredentialScope::default());
    let code = server.post("/api/auth/handoff").bearer(&token).send().await.expect(200)["code"].clone();
    let redeem = || server.post("/api/auth/handoff/redeem").json(&json!({ "code": code })).peer(remote());
    let redeemed = redeem().send().await;
    let who = whoami(&server, redeemed.expect(200)["token"].as_str().expect("token")).await;
    assert_eq!(who["permissions"], json!(["recall"]));
    redeem().send().await.expect(401);
}

#[tokio::test]
async fn guessing_codes_is_limited_for_every_peer() {
    let server = server(Mode::Local).await;
    let guess = |peer| server.post("/api/auth/handoff/redeem").json(&json!({"code": "guess"})).peer(peer);
    for _ in 0..10 {
        guess(loopback()).send().await.expect(401);
    }
    let limited = guess(loopback()).send().await;
    assert_eq!(limited.expect(429)["error"], "rate limit exceeded");
    assert_eq!(limited.header("retry-after"), "60");
    guess(remote()).send().await.expect(401);
    server.store.clock.advance(60_000);
    guess(loopback()).send().await.expect(401);
}

#[tokio::test]
async fn guessing_credentials_is_limited_by_peer_not_by_header() {
    let server = server(Mode::Team).await;
    for n in 0..60 {
        let actor = format!("actor-{n}");
        server.get("/api/status").bearer("guess").header("x-signet-actor", &actor).send().await.expect(401);
    }
    assert_eq!(server.get("/api/status").bearer("guess").send().await.code(), "rate_limited");
    server.get("/api/status").bearer("guess").peer(remote()).send().await.expect(401);
    let good = server.token(Role::Readonly, CredentialScope::default());
    server.get("/api/status").bearer(&good).send().await.expect(200);
}

#[tokio::test]
async fn admin_calls_are_limited_by_credential_and_not_for_the_person_at_the_machine() {
    let server = server(Mode::Hybrid).await;
    let admin = server.token(Role::Admin, CredentialScope::default());
    for _ in 0..10 {
        make(&server, &admin, &json!({"role": "agent"})).await.expect(200);
    }
    make(&server, &admin, &json!({"role": "king"})).await.expect(400);
    assert_eq!(make(&server, &admin, &json!({"role": "agent"})).await.code(), "rate_limited");
    for _ in 0..11 {
        server.post("/api/auth/token").json(&json!({"role": "agent"})).send().await.expect(200);
    }
    for _ in 0..11 {
        server.get("/api/auth/tokens").bearer(&admin).send().await.expect(200);
    }
}

#[tokio::test]
async fn log_in_by_password_says_that_it_is_not_set_up() {
    let server = server(Mode::Team).await;
    let answer = server.post("/api/auth/login").peer(remote()).send().await;
    assert_eq!((answer.status, answer.code()), (503, "not_configured"));
    let methods = server.get("/api/auth/methods").peer(remote()).send().await;
    let expect = json!({"methods": ["token", "api-key", "handoff"], "sso": false, "password": false});
    assert_eq!(*methods.expect(200), expect);
}

#[tokio::test]
async fn the_use_of_a_credential_is_noted_once_a_minute_also_of_an_offline_token() {
    let server = server(Mode::Team).await;
    let claims = signet_server::auth::token::Claims {
        sub: "cli:me".to_owned(),
        name: None,
        scope: CredentialScope::default(),
        role: "admin".to_owned(),
        permissions: None,
        iat: Some(1_772_634_300),
        exp: Some(1_772_637_900),
        jti: Some("offline-1".to_owned()),
    };
    let token = server.sign(&claims);
    server.get("/api/status").bearer(&token).send().await.expect(200);
    server.settle().await;
    let listed = server.get("/api/auth/tokens").bearer(&token).send().await;
    let row = &listed.expect(200)["tokens"][0];
    assert_eq!((&row["jti"], &row["createdBy"]), (&json!("offline-1"), &json!("offline")));
    assert_eq!(row["lastUsedAt"], "2026-03-04T14:25:00.000Z");
}

#[tokio::test]
async fn what_was_renewed_or_handed_over_ends_with_its_credential() {
    let server = server(Mode::Team).await;
    let admin = server.token(Role::Admin, CredentialScope::default());
    let stolen = make(&server, &admin, &json!({"role": "agent"})).await;
    let token = stolen.expect(200)["token"].as_str().expect("token").to_owned();
    let renewed = server.post("/api/auth/session").bearer(&token).send().await;
    let renewed = renewed.expect(200)["token"].as_str().expect("token").to_owned();
    server.get("/api/status").bearer(&renewed).send().await.expect(200);
    let path = format!("/api/auth/tokens/{}", stolen.body["jti"].as_str().expect("jti"));
    let revoked = server.delete(&path).bearer(&admin).send().await;
    assert_eq!(revoked.expect(200)["renewed"].as_array().map(Vec::len), Some(1));
    assert_eq!(server.get("/api/status").bearer(&renewed).send().await.code(), "token_revoked");

    let made = server.post("/api/auth/api-keys").bearer(&admin).json(&json!({"name": "page"})).send().await;
    let key = made.expect(201)["apiKey"].clone();
    let text = key["key"].as_str().expect("key");
    server.post("/api/auth/session").bearer(text).send().await.expect(400);
    let code = server.post("/api/auth/handoff").bearer(text).send().await.expect(200)["code"].clone();
    let redeemed = server.post("/api/auth/handoff/redeem").json(&json!({ "code": code })).send().await;
    let session = redeemed.expect(200)["token"].as_str().expect("token").to_owned();
    server.get("/api/status").bearer(&session).send().await.expect(200);
    let path = format!("/api/auth/api-keys/{}", key["id"].as_str().expect("id"));
    server.delete(&path).bearer(&admin).send().await.expect(200);
    assert_eq!(server.get("/api/status").bearer(&session).send().await.code(), "api_key_revoked");
}

#[tokio::test]
async fn a_restricted_admin_sees_and_revokes_only_credentials_within_its_own_scope() {
    let server = server(Mode::Team).await;
    let all = server.token(Role::Admin, CredentialScope::default());
    let scopes = [
        json!({}),
        json!({"project": "/p"}),
        json!({"project": "/q"}),
        json!({"project": "/p", "user": "ana"}),
    ];
    let mut tokens = Vec::new();
    let mut keys = Vec::new();
    for scope in &scopes {
        let made = make(&server, &all, &json!({"role": "agent", "scope": scope})).await;
        tokens.push(made.expect(200)["jti"].as_str().expect("jti").to_owned());
        let body = json!({"name": "k", "scope": scope});
        let made = server.post("/api/auth/api-keys").bearer(&all).json(&body).send().await;
        keys.push(made.expect(201)["apiKey"]["id"].as_str().expect("id").to_owned());
    }
    let seen = async |who: &str, path: &str, list: &str| {
        let answer = server.get(path).bearer(who).send().await;
        answer.expect(200)[list].as_array().expect("a list").iter().map(|row| row["scope"].clone()).collect()
    };
    let project = CredentialScope { project: Some("/p".to_owned()), ..CredentialScope::default() };
    let part = server.token(Role::Admin, project);
    for (path, list, ids) in
        [("/api/auth/tokens", "tokens", &tokens), ("/api/auth/api-keys", "apiKeys", &keys)]
    {
        let mut whole: Vec<Value> = seen(&all, path, list).await;
        whole.sort_by_key(ToString::to_string);
        let mut expect = scopes.to_vec();
        expect.sort_by_key(ToString::to_string);
        assert_eq!(whole, expect);
        let own: Vec<Value> = seen(&part, path, list).await;
        assert!(own.len() == 2 && own.iter().all(|scope| scope["project"] == "/p"), "{own:?}");
        // A new window for what administration may do in a minute.
        server.store.clock.advance(60_001);
        for (id, status) in ids.iter().zip([404, 200, 404, 200]) {
            let answer = server.delete(&format!("{path}/{id}")).bearer(&part).send().await;
            assert_eq!(answer.status, status, "{path} {id}");
        }
        let rows = server.get(path).bearer(&all).send().await.expect(200)[list].clone();
        let ended = rows.as_array().expect("rows").iter().filter(|row| !row["revokedAt"].is_null()).count();
        assert_eq!(ended, 2);
    }
}

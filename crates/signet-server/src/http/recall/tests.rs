//! The recall routes through the whole surface.

use serde_json::{Value, json};
use signet_model::memory::outcome::Remembered;
use signet_model::memory::{Draft, Guardrails, prepare};
use signet_model::{Actor, AgentScope, MemoryId};
use signet_store::evidence::memory::remember::remember;

use crate::testing::TestServer;

/// Stores a draft of an agent and answers its id.
async fn store(server: &TestServer, agent: &str, draft: Draft) -> MemoryId {
    let scope = AgentScope::granted(agent.into(), None, None);
    let prepared = prepare(draft, Guardrails::default()).expect("is a memory");
    let stored = server
        .state
        .writer
        .write(move |tx| remember(tx, &scope, &Actor::person("ana"), &prepared))
        .await
        .expect("is stored");
    match stored {
        Remembered::One(one) => one.id,
        Remembered::Group(group) => panic!("was split: {group:?}"),
    }
}

async fn say(server: &TestServer, content: &str) -> MemoryId {
    store(server, "default", Draft { content: content.to_owned(), ..Draft::default() }).await
}

fn ids(answer: &Value) -> Vec<&str> {
    let rows = answer["results"].as_array().expect("results");
    rows.iter().map(|row| row["id"].as_str().expect("id")).collect()
}

#[tokio::test]
async fn a_recall_finds_and_describes_its_rows() {
    let server = TestServer::start().await;
    let port = say(&server, "The build server listens on port 8080.").await;
    say(&server, "Bob likes tea in the morning.").await;
    let answer = server.post("/api/memory/recall").json(&json!({"query": "which port?"})).send().await;
    let body = answer.expect(200).clone();
    assert_eq!(ids(&body), [port.as_str()]);
    let row = &body["results"][0];
    assert_eq!(row["kind"], "memory");
    assert_eq!(row["source"], "keyword");
    assert_eq!(row["content_length"], 38);
    assert_eq!(row["evidence"].as_object().map(serde_json::Map::len), Some(1));
    assert_eq!(body["method"], "keyword");
    assert_eq!(body["query"], "which port?");
    assert_eq!(body["meta"]["totalReturned"], 1);
    assert_eq!(body["meta"]["limitApplied"], 10);
    assert_eq!(body["meta"]["degradation"], Value::Null);
    assert!(
        body.get("explain").is_none() && body.get("aggregate").is_none() && body.get("sources").is_none()
    );

    let search = server.get("/api/memory/search?q=which%20port%3F").send().await.expect(200).clone();
    assert_eq!(ids(&search), ids(&body));
    // The use that the first recall noted may have raised the score already.
    let unscored = |answer: &Value| {
        let mut row = answer["results"][0].clone();
        row.as_object_mut().expect("row").remove("score");
        row
    };
    assert_eq!(unscored(&search), unscored(&body));
}

#[tokio::test]
async fn limits_are_clamped_and_other_faults_are_named() {
    let server = TestServer::start().await;
    for (sent, applied) in [(json!(null), 10), (json!(0), 1), (json!(12.9), 12), (json!(5000), 100)] {
        let mut body = json!({"query": "port"});
        if !sent.is_null() {
            body["limit"] = sent.clone();
        }
        let answer = server.post("/api/memory/recall").json(&body).send().await.expect(200).clone();
        assert_eq!(answer["meta"]["limitApplied"], applied, "{sent}");
    }
    for (body, field) in [
        (json!({"query": "port", "limit": "x"}), "limit"),
        (json!({"query": "  "}), "query"),
        (json!({}), "query"),
        (json!({"query": "x".repeat(8_001)}), "query"),
        (json!({"query": "port", "minScore": 2}), "minScore"),
        (json!({"query": "port", "readPolicy": "group"}), "policyGroup"),
    ] {
        let answer = server.post("/api/memory/recall").json(&body).send().await;
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.body["field"], field, "{body}");
    }
    let answer = server.get("/api/memory/search").send().await;
    assert_eq!((answer.status, answer.body["error"].as_str()), (400, Some("q is required")));
}

#[tokio::test]
async fn what_this_build_cannot_do_is_said() {
    let server = TestServer::start().await;
    say(&server, "The build server listens on port 8080.").await;
    for field in ["time", "asOf"] {
        let value = if field == "time" { json!({}) } else { json!("2026-01-01") };
        let answer =
            server.post("/api/memory/recall").json(&json!({"query": "port", field: value})).send().await;
        assert_eq!((answer.status, answer.body["code"].as_str()), (501, Some("unsupported")), "{field}");
    }
    let body = json!({"query": "port", "aggregate": true, "expand": true});
    let answer = server.post("/api/memory/recall").json(&body).send().await.expect(200).clone();
    assert_eq!(answer["aggregate"]["stoppedReason"], "router_unavailable");
    assert_eq!(answer["aggregate"]["partial"], true);
    assert_eq!(answer["sources"], json!({}));
    assert_eq!(ids(&answer).len(), 1);
    let turns = json!({"query": "port", "kinds": ["transcript_turn"]});
    let answer = server.post("/api/memory/recall").json(&turns).send().await.expect(200).clone();
    assert_eq!((ids(&answer).len(), answer["method"].as_str()), (0, Some("none")));
}

#[tokio::test]
async fn an_explicit_recall_counts_as_access_and_an_injection_does_not() {
    let server = TestServer::start().await;
    say(&server, "The build server listens on port 8080.").await;
    let count = || server.store.number("SELECT access_count FROM memories");
    let mut recalls = 0;
    for (surface, counts) in [("prompt_injection", 0), ("other", 0), ("tool_call", 1), ("explicit_api", 1)] {
        let body = json!({"query": "port", "recallSurface": surface});
        server.post("/api/memory/recall").json(&body).send().await.expect(200);
        // The count is queued behind the answer.
        settle(&server).await;
        recalls += counts;
        assert_eq!(count(), recalls, "{surface}");
    }
}

#[tokio::test]
async fn credentials_stay_out_of_prompts_and_are_shown_to_a_person() {
    let server = TestServer::start().await;
    let said = "The queue of the port is at amqp://app:hunter2horse@broker.";
    let kept = "The queue of the port is at amqp://app:[redacted]@broker.";
    let id = say(&server, said).await;
    for (surface, shown) in [
        (json!("prompt_injection"), kept),
        (json!("tool_call"), kept),
        (json!("other"), kept),
        (json!("explicit_api"), said),
        (json!("dashboard"), said),
        (json!(null), said),
    ] {
        let body = json!({"query": "queue port", "recallSurface": surface});
        let answer = server.post("/api/memory/recall").json(&body).send().await.expect(200).clone();
        assert_eq!(ids(&answer), [id.as_str()]);
        assert_eq!(answer["results"][0]["content"], shown, "{surface}");
    }
    let path = "/api/memory/search?q=queue&recallSurface=tool_call";
    let answer = server.get(path).send().await.expect(200).clone();
    assert_eq!(answer["results"][0]["content"], kept);
}

#[tokio::test]
async fn vectors_that_are_still_to_come_are_counted_in_the_answer() {
    let server = TestServer::start().await;
    let meta = async || {
        let body = json!({"query": "port"});
        server.post("/api/memory/recall").json(&body).send().await.expect(200)["meta"].clone()
    };
    assert_eq!(meta().await.get("pendingVectors"), None);
    say(&server, "The build server listens on port 8080.").await;
    assert_eq!(meta().await["pendingVectors"], 1);
}

/// Waits until the tasks that a request left behind are through.
async fn settle(server: &TestServer) {
    let tasks = &server.state.gate.life.tasks;
    tasks.close();
    tasks.wait().await;
    tasks.reopen();
}

#[tokio::test]
async fn older_clients_get_negated_scores_rows_by_weight_and_authors() {
    let server = TestServer::start().await;
    let port = say(&server, "The build server listens on port 8080.").await;
    let pinned = Draft {
        content: "Bob likes tea.".to_owned(),
        who: Some("ana".to_owned()),
        pinned: Some(true),
        ..Draft::default()
    };
    let pinned = store(&server, "default", pinned).await;
    let found = server.get("/memory/search?q=NOT%20port%20*").send().await.expect(200).clone();
    assert_eq!(ids(&found), [port.as_str()]);
    assert!(found["results"][0]["score"].as_f64().is_some_and(|score| score < 0.0));
    let all = server.get("/memory/search").send().await.expect(200).clone();
    assert_eq!(ids(&all), [pinned.as_str(), port.as_str()]);
    assert_eq!(all["results"][0]["score"], 1.0);
    let authors = server.get("/memory/search?distinct=who&q=tea").send().await.expect(200).clone();
    assert_eq!(authors, json!({"values": ["ana"]}));
}

#[tokio::test]
async fn without_a_vector_there_is_nothing_similar() {
    let server = TestServer::start().await;
    let id = say(&server, "The build server listens on port 8080.").await;
    for id in [id.as_str(), "unknown"] {
        let answer = server.get(&format!("/memory/similar?id={id}")).send().await;
        assert_eq!(answer.status, 404);
        assert_eq!(answer.body["error"], "No embedding found for this memory");
        assert_eq!(answer.body["results"], json!([]));
    }
}

#[tokio::test]
async fn explain_balances_and_changes_nothing() {
    let server = TestServer::start().await;
    say(&server, "The build server listens on port 8080.").await;
    say(&server, "The port of the ferry.").await;
    let plain =
        server.post("/api/memory/recall").json(&json!({"query": "port"})).send().await.expect(200).clone();
    let second = ids(&plain)[1];
    let asked = json!({"query": "port", "explain": true, "explainId": second, "limit": 1});
    let explained = server.post("/api/memory/recall").json(&asked).send().await.expect(200).clone();
    assert_eq!(ids(&explained), ids(&plain)[..1]);
    let stages = explained["explain"]["stages"].as_array().expect("stages");
    for stage in stages {
        let number = |name: &str| stage[name].as_i64().expect("number");
        assert_eq!(number("in") - number("droppedTotal") + number("added"), number("out"), "{stage}");
    }
    assert_eq!(explained["explain"]["target"]["droppedAt"], "limit");
    assert_eq!(explained["explain"]["target"]["reason"], "beyond_limit");
    assert!(explained["results"][0]["explain"]["features"].is_object());
}

#[tokio::test]
async fn a_type_is_found_in_any_case_and_whatever_was_stored_can_be_asked_for() {
    let server = TestServer::start().await;
    let (who, project) = ("w".repeat(200), "p".repeat(4_096));
    let body = json!({ "content": "quokkas dance", "type": "Rationale", "who": who, "project": project });
    let stored = server.post("/api/memory/remember").json(&body).send().await;
    let id = stored.expect(200)["id"].clone();
    let ask = json!({ "query": "quokkas", "type": " RATIONALE", "who": who, "project": project });
    let found = server.post("/api/memory/recall").json(&ask).send().await;
    assert_eq!(ids(found.expect(200)), [id.as_str().expect("id")]);
    let other = json!({ "query": "quokkas", "type": "rule" });
    let found = server.post("/api/memory/recall").json(&other).send().await;
    assert_eq!(ids(found.expect(200)), Vec::<&str>::new());
    let listed = server.get("/api/memories?type=Rationale").send().await;
    assert_eq!(listed.expect(200)["memories"][0]["id"], id);
}

#[tokio::test]
async fn a_text_with_invisible_characters_is_found_by_people_and_kept_from_prompts() {
    let server = TestServer::start().await;
    let id = say(&server, "the pass\u{200b}word hint is \u{202e}walrus").await;
    for (surface, expected) in
        [("explicit_api", 1), ("dashboard", 1), ("tool_call", 0), ("prompt_injection", 0)]
    {
        let body = json!({"query": "walrus hint", "recallSurface": surface});
        let answer = server.post("/api/memory/recall").json(&body).send().await.expect(200).clone();
        assert_eq!(answer["results"].as_array().map(Vec::len), Some(expected), "{surface}");
    }
    // The explanation follows the same rule: among other types it is the filter that keeps the row out.
    for (surface, reason) in [("explicit_api", "filtered_type"), ("tool_call", "unsafe")] {
        let body = json!({
            "query": "walrus hint", "recallSurface": surface, "type": "decision", "explainId": id.as_str()
        });
        let answer = server.post("/api/memory/recall").json(&body).send().await.expect(200).clone();
        assert_eq!(answer["explain"]["target"]["reason"], reason, "{surface}");
    }
}

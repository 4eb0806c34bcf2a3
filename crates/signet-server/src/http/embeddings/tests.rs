//! The embeddings routes over the whole surface.

use std::sync::Arc;

use serde_json::{Value, json};
use signet_model::embed::{
    Availability, BoxFuture, EmbedError, EmbedFailure, EmbedRole, Embedded, Embedder, Profile,
};
use signet_model::{AgentId, MemoryId};
use signet_store::derived::embedding::{Made, Stored, store};
use signet_store::derived::profile::{Standing, activate_if_empty};
use signet_store::testing::plant;

use crate::testing::{Setup, TestServer};

/// A provider that is only asked about itself.
struct Shown {
    profile: Option<Profile>,
    availability: Availability,
}

impl Embedder for Shown {
    fn profile(&self) -> Option<Profile> {
        self.profile.clone()
    }

    fn embed(&self, _: EmbedRole, _: Vec<String>) -> BoxFuture<'_, Result<Vec<Embedded>, EmbedError>> {
        let error = EmbedError { class: EmbedFailure::Provider, message: "never called".to_owned() };
        Box::pin(std::future::ready(Err(error)))
    }

    fn availability(&self) -> Availability {
        self.availability.clone()
    }

    fn address(&self) -> Option<String> {
        self.profile.as_ref().map(|_| "http://127.0.0.1:9".to_owned())
    }
}

fn space(model: &str) -> Profile {
    Profile { provider: "ollama".to_owned(), model: model.to_owned(), dimensions: 2, prefix: "legacy-raw" }
}

async fn server(profile: Option<Profile>, availability: Availability) -> TestServer {
    let embedder = Arc::new(Shown { profile, availability });
    TestServer::with(Setup { embedder, ..Setup::default() }).await
}

/// Memories `text 0`, `text 1` and so on, the first `embedded` of them with a vector of model `m`.
async fn fill(server: &TestServer, count: usize, embedded: usize) -> Vec<MemoryId> {
    let agent = AgentId::default_agent();
    let texts: Vec<String> = (0..count).map(|n| format!("text {n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let ids = plant::memories(&server.store, &agent, &texts);
    let made: Vec<Made> = ids[..embedded]
        .iter()
        .enumerate()
        .map(|(n, id)| Made {
            agent: agent.clone(),
            memory: id.clone(),
            content_hash: format!("text {n}"),
            vector: vec![1.0, n as f32],
            truncated: false,
        })
        .collect();
    let written = server.state.writer.write(move |tx| {
        let Standing::Same(active) = activate_if_empty(tx, &space("m"))? else { panic!("another space") };
        for made in &made {
            assert_eq!(store(tx, &active, made)?, Stored::Stored);
        }
        Ok(())
    });
    written.await.expect("stored");
    ids
}

async fn get(server: &TestServer, path: &str) -> Value {
    server.get(path).send().await.expect(200).clone()
}

fn verdicts(health: &Value) -> Vec<(String, String)> {
    let word = |check: &Value, name: &str| check[name].as_str().expect("a word").to_owned();
    let checks = health["checks"].as_array().expect("checks");
    checks.iter().map(|check| (word(check, "name"), word(check, "status"))).collect()
}

#[tokio::test]
async fn gaps_are_floored_and_whole_only_without_one() {
    let server = server(Some(space("m")), Availability::Up).await;
    let empty = get(&server, "/api/repair/embedding-gaps").await;
    let expect = json!({"unembedded": 0, "total": 0, "coverage": "100.0%", "pending": 0, "quarantined": 0});
    assert_eq!(empty, expect);
    fill(&server, 7, 6).await;
    let gaps = get(&server, "/api/repair/embedding-gaps").await;
    let expect = json!({"unembedded": 1, "total": 7, "coverage": "85.7%", "pending": 1, "quarantined": 0});
    assert_eq!(gaps, expect);
    server.store.raw().execute("UPDATE embedding_work SET state = 'quarantined'", []).expect("update");
    let gaps = get(&server, "/api/repair/embedding-gaps").await;
    assert_eq!((&gaps["coverage"], &gaps["quarantined"]), (&json!("85.7%"), &json!(1)));
}

#[tokio::test]
async fn embedded_memories_are_listed_newest_first_with_vectors_on_demand() {
    let server = server(Some(space("m")), Availability::Up).await;
    let ids = fill(&server, 120, 110).await;
    let page = get(&server, "/api/embeddings?limit=50&offset=60").await;
    let facts = ["count", "total", "limit", "offset", "hasMore"].map(|name| page[name].clone());
    assert_eq!(facts, [json!(50), json!(110), json!(50), json!(60), json!(false)]);
    let row = &page["embeddings"][49];
    assert_eq!(
        (&row["id"], &row["text"], &row["content"]),
        (&json!(ids[0].as_str()), &json!("text 0"), &row["text"])
    );
    assert!(row.get("vector").is_none());
    let page = get(&server, "/api/embeddings?vectors=true&limit=50").await;
    assert_eq!(page["embeddings"][0]["vector"], json!([1.0, 109.0]));
    assert_eq!(page["hasMore"], json!(true));
    plant::forget(&server.store, &AgentId::default_agent(), &ids[109]);
    let page = get(&server, "/api/embeddings?limit=50").await;
    assert_eq!((&page["embeddings"][0]["text"], &page["total"]), (&json!("text 108"), &json!(109)));
}

#[tokio::test]
async fn status_names_provider_queue_and_index_without_calling_anyone() {
    let server = server(Some(space("m")), Availability::Unknown).await;
    let status = get(&server, "/api/embeddings/status").await;
    assert_eq!((&status["index"]["kind"], &status["available"]), (&json!("none"), &json!("unknown")));
    fill(&server, 3, 2).await;
    let status = get(&server, "/api/embeddings/status").await;
    assert_eq!(status["index"], json!({"kind": "sqlite-vec", "rows": 2, "rebuilding": false}));
    assert_eq!(status["tracker"]["queueDepth"], json!(1));
    assert_eq!(status["migration"]["state"], json!("none"));
    let facts = ["provider", "model", "base_url", "dimensions", "profile"].map(|name| status[name].clone());
    let expect = [json!("ollama"), json!("m"), json!("http://127.0.0.1:9"), json!(2), json!("legacy-raw")];
    assert_eq!(facts, expect);
    server.state.writer.write(signet_store::derived::vec::mark_absent).await.expect("marked");
    let status = get(&server, "/api/embeddings/status").await;
    assert_eq!(status["index"], json!({"kind": "window", "rows": 2, "rebuilding": true}));
}

#[tokio::test]
async fn a_switched_off_or_other_provider_is_named() {
    let off = server(None, Availability::Unknown).await;
    let status = get(&off, "/api/embeddings/status").await;
    assert_eq!((&status["provider"], &status["available"]), (&json!("none"), &json!(false)));
    assert_eq!(status["error"], json!("Embedding provider set to 'none' — vector search disabled"));
    assert_eq!(status["tracker"], Value::Null);
    let other = server(Some(space("other")), Availability::Up).await;
    fill(&other, 2, 2).await;
    let status = get(&other, "/api/embeddings/status").await;
    assert_eq!((&status["error"], &status["migration"]["from"]), (&json!("profile_mismatch"), &json!("m")));
    let health = get(&other, "/api/embeddings/health").await;
    assert!(verdicts(&health).contains(&("model-drift".to_owned(), "fail".to_owned())));
    assert_eq!((&health["score"], &health["status"]), (&json!(0.9), &json!("healthy")));
}

#[tokio::test]
async fn health_weighs_its_checks() {
    let server = server(Some(space("m")), Availability::Up).await;
    fill(&server, 10, 10).await;
    let health = get(&server, "/api/embeddings/health").await;
    assert!(verdicts(&health).iter().all(|(_, verdict)| verdict == "ok"), "{health}");
    assert_eq!((&health["score"], &health["status"]), (&json!(1.0), &json!("healthy")));
    server
        .store
        .raw()
        .execute_batch(
            "UPDATE embeddings SET dimensions = 1, vector = zeroblob(4) WHERE content_hash = 'text 1';
             UPDATE embeddings SET vector = zeroblob(8) WHERE content_hash = 'text 2';
             UPDATE memories SET is_deleted = 1, deleted_at = '2026' WHERE content = 'text 3';",
        )
        .expect("damage");
    let health = get(&server, "/api/embeddings/health").await;
    let failed: Vec<String> = verdicts(&health)
        .into_iter()
        .filter(|(_, verdict)| verdict == "fail")
        .map(|(name, _)| name)
        .collect();
    assert_eq!(failed, ["dimension-mismatch", "null-vectors", "orphaned-embeddings"]);
    assert_eq!(health["score"], json!(0.72));
    assert_eq!(health["status"], json!("degraded"));
}

//! Embedding servers that behave well, badly, and not at all, on loopback with the real wire formats.

#![expect(clippy::expect_used, reason = "tests")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use serde_json::{Value, json};
use signet_model::embed::{Availability, EmbedError, EmbedFailure, EmbedRole, Embedder, Profile};
use signet_provider::http::ServerOptions;
use signet_provider::http::ollama::Ollama;
use signet_provider::http::openai::OpenAi;
use signet_provider::secret::Secret;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// One request as the server saw it: path, authorization, body.
type Seen = (String, Option<String>, Value);

/// Answers by path: status and body. Anything else is 404 without JSON.
type Script = Vec<(&'static str, u16, String)>;

#[derive(Clone)]
struct Scripted {
    script: Arc<Script>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

struct Server {
    base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    #[expect(clippy::disallowed_methods, reason = "the handle is aborted when the server is dropped")]
    async fn start(script: Script) -> Self {
        let state = Scripted { script: Arc::new(script), seen: Arc::default() };
        let seen = Arc::clone(&state.seen);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("address"));
        let app = Router::new().fallback(answer).with_state(state);
        let task = tokio::spawn(async move { axum::serve(listener, app).await.expect("serves") });
        Self { base, seen, task }
    }

    fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("seen").clone()
    }
}

async fn answer(State(server): State<Scripted>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response<Body> {
    let key = headers.get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = serde_json::from_slice(&body).unwrap_or_default();
    server.seen.lock().expect("seen").push((uri.path().to_owned(), key, body));
    let found = server.script.iter().find(|(path, ..)| *path == uri.path());
    let (status, body) = found.map_or((404, "404 page not found".to_owned()), |(_, s, b)| (*s, b.clone()));
    if body == "never" {
        std::future::pending::<()>().await;
    }
    let mut response = Response::builder().status(status).header("location", "/elsewhere");
    let body = match body.strip_prefix("half:") {
        None => body,
        Some(half) => {
            response = response.header("content-length", half.len() + 100);
            half.to_owned()
        }
    };
    response.body(Body::from(body)).expect("response")
}

fn options(base: &str) -> ServerOptions {
    ServerOptions {
        profile: Profile {
            provider: "openai".to_owned(),
            model: "tiny".to_owned(),
            dimensions: 2,
            prefix: "legacy-raw",
        },
        base: base.to_owned(),
        key: Some(Secret::new("sk-very-secret")),
        timeout: Duration::from_secs(20),
    }
}

fn openai(base: &str) -> OpenAi {
    OpenAi::new(options(base)).expect("a client")
}

fn ollama(base: &str) -> Ollama {
    Ollama::new(options(base)).expect("a client")
}

async fn ask(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    let answer = embedder.embed(EmbedRole::Document, texts).await?;
    Ok(answer.into_iter().map(|embedded| embedded.vector).collect())
}

fn data(vectors: &Value) -> String {
    let rows = vectors.as_array().expect("rows").iter().enumerate();
    let rows: Vec<Value> =
        rows.map(|(n, v)| json!({"object": "embedding", "index": n, "embedding": v})).collect();
    json!({"object": "list", "data": rows, "model": "tiny", "usage": {"prompt_tokens": 2}}).to_string()
}

#[tokio::test]
async fn openai_vectors_come_in_the_order_of_the_texts() {
    let rows = json!({"data": [
        {"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.5]},
    ]});
    let server = Server::start(vec![("/embeddings", 200, rows.to_string())]).await;
    let client = openai(&server.base);
    assert_eq!(client.availability(), Availability::Unknown);
    assert_eq!(ask(&client, &["a", "b"]).await, Ok(vec![vec![1.0, 0.5], vec![0.0, 1.0]]));
    assert_eq!(client.availability(), Availability::Up);
    let body = json!({"model": "tiny", "input": ["a", "b"], "encoding_format": "float"});
    let expect = ("/embeddings".to_owned(), Some("Bearer sk-very-secret".to_owned()), body);
    assert_eq!(server.seen(), [expect]);
}

#[tokio::test]
async fn prefixes_go_out_by_role() {
    let server = Server::start(vec![("/embeddings", 200, data(&json!([[1, 0]])))]).await;
    let mut nomic = options(&server.base);
    nomic.profile.prefix = "nomic";
    let client = OpenAi::new(nomic).expect("a client");
    for role in [EmbedRole::Query, EmbedRole::Document] {
        client.embed(role, vec!["x".to_owned()]).await.expect("embeds");
    }
    let inputs: Vec<Value> = server.seen().into_iter().map(|(_, _, body)| body["input"].clone()).collect();
    assert_eq!(inputs, [json!(["search_query: x"]), json!(["search_document: x"])]);
}

#[tokio::test]
async fn a_credential_in_a_text_does_not_leave() {
    let server = Server::start(vec![
        ("/embeddings", 200, data(&json!([[1, 0]]))),
        ("/api/embed", 200, json!({"embeddings": [[1, 0]]}).to_string()),
    ])
    .await;
    let text = "the queue is at amqp://app:s3cr3tpw@broker";
    ask(&openai(&server.base), &[text]).await.expect("embeds");
    ask(&ollama(&server.base), &[text]).await.expect("embeds");
    let inputs: Vec<Value> = server.seen().into_iter().map(|(_, _, body)| body["input"].clone()).collect();
    let without = json!(["the queue is at amqp://app:[redacted]@broker"]);
    assert_eq!(inputs, [without.clone(), without]);
}

#[tokio::test]
async fn failures_are_classified_and_never_show_the_key() {
    let error = |text: &str| json!({"error": {"message": text, "type": "x"}}).to_string();
    let cases = [
        (
            401,
            error("Incorrect API key provided: sk-very-secret"),
            EmbedFailure::Provider,
            "answered 401: Incorrect",
        ),
        (429, error("Rate limit reached"), EmbedFailure::Provider, "answered 429: Rate limit"),
        (500, "oops".to_owned(), EmbedFailure::Provider, "answered 500: oops"),
        (503, String::new(), EmbedFailure::Provider, "answered 503"),
        (302, String::new(), EmbedFailure::Provider, "answered 302"),
        (504, String::new(), EmbedFailure::Timeout, "answered 504"),
        (404, error("The model `tiny` does not exist"), EmbedFailure::Provider, "does not exist"),
        (400, error("unknown model"), EmbedFailure::Provider, "unknown model"),
        (400, error("input must not be empty"), EmbedFailure::InvalidInput, "must not be empty"),
        (
            400,
            error("This model's maximum context length is 8192 tokens"),
            EmbedFailure::ContextLimit,
            "8192",
        ),
        (500, error("input is too large to process"), EmbedFailure::ContextLimit, "too large"),
        (413, String::new(), EmbedFailure::ContextLimit, "answered 413"),
        (200, "{\"data\": [".to_owned(), EmbedFailure::Provider, "does not read"),
        (200, "half:{\"data\":".to_owned(), EmbedFailure::Provider, "cannot reach"),
        (
            200,
            "{\"data\":[{\"index\":0,\"embedding\":[NaN,1]}]}".to_owned(),
            EmbedFailure::Provider,
            "does not read",
        ),
        (200, data(&json!([])), EmbedFailure::Provider, "0 vectors for 1 texts"),
        (200, data(&json!([[1, 0], [1, 0]])), EmbedFailure::Provider, "2 vectors for 1 texts"),
        (200, data(&json!([[1, 0, 0]])), EmbedFailure::Dimension, "3 values, embedding.dimensions says 2"),
        (200, data(&json!([[null, 1]])), EmbedFailure::InvalidInput, "zero or not finite"),
        (200, data(&json!([[1e39, 1]])), EmbedFailure::InvalidInput, "zero or not finite"),
        (200, data(&json!([[0, 0]])), EmbedFailure::InvalidInput, "zero or not finite"),
    ];
    for (status, body, class, words) in cases {
        let server = Server::start(vec![("/embeddings", status, body.clone())]).await;
        let client = openai(&server.base);
        let failed = ask(&client, &["a"]).await.expect_err(&body);
        assert_eq!(failed.class, class, "{status} {body}: {failed}");
        assert!(failed.message.contains(words), "{failed}");
        assert!(!failed.message.contains("sk-very-secret"), "{failed}");
        assert_eq!(server.seen().len(), 1, "no retries and no redirects");
        let down = matches!(client.availability(), Availability::Down(_));
        assert_eq!(down, !class.is_of_the_text(), "{failed}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_or_is_not_there_is_told_apart() {
    let server = Server::start(vec![("/embeddings", 200, "never".to_owned())]).await;
    let mut impatient = options(&server.base);
    impatient.timeout = Duration::from_millis(50);
    let failed = ask(&OpenAi::new(impatient).expect("a client"), &["a"]).await.expect_err("slow");
    assert_eq!(failed.class, EmbedFailure::Timeout);
    // A port that was free a moment ago and that nobody listens on.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("address"));
    drop(listener);
    let failed = ask(&openai(&base), &["a"]).await.expect_err("nobody");
    assert_eq!(failed.class, EmbedFailure::Provider);
    assert!(failed.message.starts_with(&format!("cannot reach {base}")), "{failed}");
}

#[tokio::test]
async fn ollama_embeds_a_batch_in_one_call() {
    let answer = json!({"model": "tiny", "embeddings": [[1.0, 0.0], [0.0, 2.0]]}).to_string();
    let server = Server::start(vec![("/api/embed", 200, answer)]).await;
    assert_eq!(ask(&ollama(&server.base), &["a", "b"]).await, Ok(vec![vec![1.0, 0.0], vec![0.0, 2.0]]));
    let seen: Vec<(String, Value)> = server.seen().into_iter().map(|(path, _, body)| (path, body)).collect();
    let body = json!({"model": "tiny", "input": ["a", "b"], "truncate": false});
    assert_eq!(seen, [("/api/embed".to_owned(), body)]);
}

#[tokio::test]
async fn an_old_ollama_is_asked_text_by_text() {
    let answer = json!({"embedding": [0.5, 0.5]}).to_string();
    let server = Server::start(vec![("/api/embeddings", 200, answer)]).await;
    let client = ollama(&server.base);
    for _ in 0..2 {
        assert_eq!(ask(&client, &["a", "b"]).await, Ok(vec![vec![0.5, 0.5]; 2]));
    }
    let paths: Vec<String> = server.seen().into_iter().map(|(path, ..)| path).collect();
    let old = "/api/embeddings";
    assert_eq!(paths, ["/api/embed", old, old, old, old], "the new route is tried once");
    assert_eq!(server.seen()[1].2, json!({"model": "tiny", "prompt": "a"}));
}

#[tokio::test]
async fn an_ollama_without_the_model_is_not_taken_for_an_old_one() {
    let missing = json!({"error": "model \"tiny\" not found, try pulling it first"}).to_string();
    let server = Server::start(vec![("/api/embed", 404, missing)]).await;
    let failed = ask(&ollama(&server.base), &["a"]).await.expect_err("no model");
    assert_eq!(failed.class, EmbedFailure::Provider);
    assert!(failed.message.contains("try pulling it first"), "{failed}");
    assert_eq!(server.seen().len(), 1);
    let long = json!({"error": "the input length exceeds the context length"}).to_string();
    let server = Server::start(vec![("/api/embed", 400, long)]).await;
    let failed = ask(&ollama(&server.base), &["a"]).await.expect_err("too long");
    assert_eq!(failed.class, EmbedFailure::ContextLimit);
}

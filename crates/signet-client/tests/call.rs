//! The client against scripted servers: what a stopped, slow, foreign or refusing daemon looks like.
#![expect(clippy::unwrap_used, reason = "a failed step of the script fails the test")]

use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Redirect};
use axum::routing::get;
use serde_json::{Value, json};
use signet_client::{ApiError, Client, Credential, Failure, Options};

async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = async move { axum::serve(listener, router).await.unwrap() };
    #[expect(clippy::disallowed_methods, reason = "the scripted server ends with the test's runtime")]
    tokio::spawn(server);
    format!("http://{address}")
}

fn client(url: &str, timeout: Duration) -> Client {
    let options = Options {
        url: url.to_owned(),
        credential: Credential::Bearer("t0ken".to_owned()),
        agent: Some("main".to_owned()),
        timezone: Some("Europe/Paris".to_owned()),
        timeout,
    };
    Client::new(options).unwrap()
}

fn echo(headers: &HeaderMap) -> Json<Value> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Json(json!({
        "auth": text("authorization"), "agent": text("x-signet-agent-id"), "zone": text("x-signet-timezone"),
    }))
}

#[tokio::test]
async fn headers_go_out_and_json_comes_back() {
    let url =
        serve(Router::new().route("/api/x", get(|headers: HeaderMap| async move { echo(&headers) }))).await;
    let answer = client(&url, Duration::from_secs(10)).get("/api/x", &[]).await;
    assert_eq!(answer, Ok(json!({"auth": "Bearer t0ken", "agent": "main", "zone": "Europe/Paris"})));
}

#[tokio::test]
async fn query_values_are_encoded_and_empty_ones_left_out() {
    let handler = |uri: axum::http::Uri| async move { Json(json!(uri.to_string())) };
    let url = serve(Router::new().route("/api/x", get(handler))).await;
    let query = [("q", "a b&c=ü".to_owned()), ("none", String::new())];
    let answer = client(&url, Duration::from_secs(10)).get("/api/x", &query).await;
    assert_eq!(answer, Ok(json!("/api/x?q=a%20b%26c%3D%C3%BC")));
}

#[tokio::test]
async fn a_refusal_keeps_code_hint_and_body() {
    let body = json!({"error": "not found", "code": "not_found", "hint": "look elsewhere"});
    let sent = body.clone();
    let handler = || async move { (StatusCode::NOT_FOUND, Json(sent)).into_response() };
    let url = serve(Router::new().route("/api/x", get(handler))).await;
    let failure = client(&url, Duration::from_secs(10)).get("/api/x", &[]).await;
    assert_eq!(
        failure,
        Err(Failure::Api(ApiError {
            status: 404,
            code: "not_found".to_owned(),
            message: "not found".to_owned(),
            hint: Some("look elsewhere".to_owned()),
            body,
        }))
    );
}

#[tokio::test]
async fn another_program_is_named_as_such() {
    let url = serve(Router::new().route("/api/x", get(|| async { "<html>" }))).await;
    let failure = client(&url, Duration::from_secs(10)).get("/api/x", &[]).await;
    assert_eq!(failure, Err(Failure::NotSignet { url, status: 200 }));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let router = Router::new()
        .route("/api/x", get(|| async { Redirect::temporary("/api/y") }))
        .route("/api/y", get(|| async { Json(json!("must not be reached")) }));
    let url = serve(router).await;
    let failure = client(&url, Duration::from_secs(10)).get("/api/x", &[]).await;
    assert_eq!(failure, Err(Failure::NotSignet { url, status: 307 }));
}

#[tokio::test]
async fn stopped_is_not_slow() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let stopped = client(&url, Duration::from_secs(10)).get("/api/x", &[]).await;
    assert_eq!(stopped, Err(Failure::Refused { url }));

    let hang = || async { std::future::pending::<Json<Value>>().await };
    let url = serve(Router::new().route("/api/x", get(hang))).await;
    let slow = client(&url, Duration::from_millis(200)).get("/api/x", &[]).await;
    assert!(matches!(slow, Err(Failure::Silent { .. })), "{slow:?}");
}

#[test]
fn other_schemes_are_refused() {
    let options = Options {
        url: "file:///etc/passwd".to_owned(),
        credential: Credential::None,
        agent: None,
        timezone: None,
        timeout: Duration::from_secs(1),
    };
    assert!(matches!(Client::new(options), Err(Failure::BadUrl { .. })));
}

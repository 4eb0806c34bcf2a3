//! One request of a test and its answer.

use std::net::SocketAddr;

use axum::Router as AxumRouter;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request};
use serde_json::Value;
use tower::ServiceExt as _;

use super::loopback;
use crate::middleware::link::Link;

/// A request being put together.
#[derive(Debug)]
pub struct Call<'a> {
    app: &'a AxumRouter,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    peer: SocketAddr,
}

/// An answer, read to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// JSON body; null when there is none or it is no JSON.
    pub body: Value,
    /// Body as it came.
    pub bytes: Vec<u8>,
}

impl<'a> Call<'a> {
    pub(super) fn new(app: &'a AxumRouter, method: &str, path: &str) -> Self {
        let headers = vec![("host".to_owned(), b"localhost:3850".to_vec())];
        Self {
            app,
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            body: Vec::new(),
            peer: loopback(),
        }
    }

    /// Adds a header; `host` replaces the default one.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        self.header_bytes(name, value.as_bytes())
    }

    /// Adds a header of any bytes.
    #[must_use]
    pub fn header_bytes(mut self, name: &str, value: &[u8]) -> Self {
        if name == "host" {
            self.headers.retain(|(sent, _)| sent != "host");
        }
        self.headers.push((name.to_owned(), value.to_vec()));
        self
    }

    /// Sends a token or key.
    #[must_use]
    pub fn bearer(self, credential: &str) -> Self {
        self.header("authorization", &format!("Bearer {credential}"))
    }

    /// Sends a JSON body.
    #[must_use]
    pub fn json(mut self, body: &Value) -> Self {
        self.body = body.to_string().into_bytes();
        self.header("content-type", "application/json")
    }

    /// Sends bytes as they are, their length announced.
    #[must_use]
    pub fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.header("content-length", &length)
    }

    /// Comes from another address.
    #[must_use]
    pub fn peer(mut self, peer: SocketAddr) -> Self {
        self.peer = peer;
        self
    }

    /// Sends it and reads the answer.
    pub async fn send(self) -> Answer {
        let mut request = Request::builder().method(self.method.as_str()).uri(&self.path);
        for (name, value) in &self.headers {
            request = request.header(name, value.as_slice());
        }
        let mut request = request.body(Body::from(self.body)).expect("a request");
        let local = SocketAddr::from(([127, 0, 0, 1], 3850));
        request.extensions_mut().insert(ConnectInfo(Link { peer: self.peer, local }));
        let response = self.app.clone().oneshot(request).await.expect("the service never fails");
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.expect("the body reads").to_vec();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Answer { status: parts.status.as_u16(), headers: parts.headers, body, bytes }
    }
}

impl Answer {
    /// The `code` of a refusal; empty for other answers.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or("")
    }

    /// A header as text; empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// The body, after a check of the status that shows the whole answer when it fails.
    #[track_caller]
    pub fn expect(&self, status: u16) -> &Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        &self.body
    }
}

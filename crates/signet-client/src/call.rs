//! One call: address, credential, headers, JSON in, JSON out.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::{ApiError, Failure};

/// How a caller proves who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Credential {
    /// Not at all.
    #[default]
    None,
    /// `authorization: Bearer …`.
    Bearer(String),
}

/// Methods of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// GET.
    Get,
    /// POST.
    Post,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

/// Where and how to call.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// `http://host:port`.
    pub url: String,
    /// Credential.
    pub credential: Credential,
    /// Agent for `x-signet-agent-id`.
    pub agent: Option<String>,
    /// IANA zone for `x-signet-timezone`.
    pub timezone: Option<String>,
    /// Longest wait for an answer.
    pub timeout: Duration,
}

/// A client of one daemon.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    options: Options,
}

impl Client {
    /// A client. Fails when the address is not http or https.
    pub fn new(options: Options) -> Result<Self, Failure> {
        let bad = || Failure::BadUrl { url: options.url.clone() };
        let tls = options.url.starts_with("https://");
        if !tls && !options.url.starts_with("http://") {
            return Err(bad());
        }
        // Two crates of the process may ask for it; the first one wins and both are the same.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(options.timeout.min(Duration::from_secs(5)))
            .timeout(options.timeout)
            .pool_max_idle_per_host(1);
        if !tls {
            // Plain http needs no certificates; reading the system's would cost a third of the start.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|_| bad())?;
        let options = Options { url: options.url.trim_end_matches('/').to_owned(), ..options };
        Ok(Self { http, options })
    }

    /// The address in use.
    pub fn url(&self) -> &str {
        &self.options.url
    }

    /// The same client, which does not say who it is.
    #[must_use]
    pub fn without_credential(&self) -> Self {
        let options = Options { credential: Credential::None, ..self.options.clone() };
        Self { http: self.http.clone(), options }
    }

    /// GET with query parameters; pairs with an empty value are left out.
    pub async fn get(&self, path: &str, query: &[(&str, String)]) -> Result<Value, Failure> {
        self.call(Method::Get, &with_query(path, query), None).await
    }

    /// POST of a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.call(Method::Post, path, Some(body)).await
    }

    /// A call. `path` starts with `/` and is encoded already. A success is its JSON body.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        let (status, body) = self.exchange(method, path, body).await?;
        if (200..300).contains(&status) {
            return Ok(body);
        }
        let url = self.options.url.clone();
        Err(ApiError::read(status, body).map_or(Failure::NotSignet { url, status }, Failure::Api))
    }

    /// Status and JSON body whatever the status; for answers such as readiness whose refusal is information.
    pub async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(u16, Value), Failure> {
        let begun = Instant::now();
        let response = self.request(method, path, body).send().await.map_err(|e| self.failure(&e, begun))?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.map_err(|e| self.failure(&e, begun))?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok((status, body)),
            Err(_) => Err(Failure::NotSignet { url: self.options.url.clone(), status }),
        }
    }

    fn request(&self, method: Method, path: &str, body: Option<&Value>) -> reqwest::RequestBuilder {
        let method = match method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut request = self.http.request(method, format!("{}{path}", self.options.url));
        if let Credential::Bearer(token) = &self.options.credential {
            request = request.bearer_auth(token);
        }
        if let Some(agent) = &self.options.agent {
            request = request.header("x-signet-agent-id", agent);
        }
        if let Some(zone) = &self.options.timezone {
            request = request.header("x-signet-timezone", zone);
        }
        match body {
            Some(body) => request.json(body),
            None => request,
        }
    }

    fn failure(&self, error: &reqwest::Error, begun: Instant) -> Failure {
        let url = self.options.url.clone();
        if refused(error) {
            return Failure::Refused { url };
        }
        if error.is_timeout() && !error.is_connect() {
            return Failure::Silent { url, after: begun.elapsed() };
        }
        Failure::Unreachable { url, cause: root_cause(error) }
    }
}

fn refused(error: &reqwest::Error) -> bool {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = source {
        if let Some(io) = cause.downcast_ref::<std::io::Error>()
            && io.kind() == std::io::ErrorKind::ConnectionRefused
        {
            return true;
        }
        source = cause.source();
    }
    false
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// A path with its query; pairs with an empty value are left out.
fn with_query(path: &str, query: &[(&str, String)]) -> String {
    let pairs = query.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key}={}", encode(value))).collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// Percent-encodes everything but unreserved characters, for one path segment or query value.
fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

impl Client {
    /// A path with its last segment encoded: `at("/api/memory/", id, "")`.
    pub fn at(prefix: &str, segment: &str, suffix: &str) -> String {
        format!("{prefix}{}{suffix}", encode(segment))
    }
}

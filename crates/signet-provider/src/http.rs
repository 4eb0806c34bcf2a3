//! Embedding servers over HTTP: one client, one way to classify what goes wrong, one file a wire format.
//!
//! No retries (the queue has its own), no redirects, and no other provider when one fails.

pub mod ollama;
pub mod openai;

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::{Client, RequestBuilder, StatusCode, Url, redirect};
use serde::de::DeserializeOwned;
use signet_model::embed::{Availability, EmbedError, EmbedFailure, EmbedRole, Embedded, Profile};
use signet_model::safety::redact;

use crate::prefix;
use crate::secret::Secret;

/// Time for connecting.
const CONNECT: Duration = Duration::from_secs(5);
/// Largest answer that is read: a batch of the longest vectors has less than a tenth of it.
const MOST_BYTES: usize = 64 << 20;
/// Characters of a server's own error text that are shown.
const MOST_SHOWN: usize = 300;

/// Where a server is and what it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerOptions {
    /// The vector space; `model` goes into the request, `dimensions` are checked in the answer.
    pub profile: Profile,
    /// Base address without a trailing slash.
    pub base: String,
    /// Key, sent as a bearer token.
    pub key: Option<Secret>,
    /// Time for a request as a whole.
    pub timeout: Duration,
}

/// A server with the outcome of the last call.
#[derive(Debug)]
struct Server {
    options: ServerOptions,
    client: Client,
    last: Mutex<Availability>,
}

impl Server {
    fn new(options: ServerOptions) -> Result<Self, String> {
        let base = Url::parse(&options.base).map_err(|cause| format!("`{}`: {cause}", options.base))?;
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(format!("`{}` is not an http or https address", options.base));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err("an address must not contain a user name or password".to_owned());
        }
        // One provider for the whole process; a second install is refused and changes nothing.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(options.timeout)
            .user_agent(concat!("signet/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&base) {
            // A system proxy cannot reach this machine's own servers.
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|cause| cause.to_string())?;
        Ok(Self { options, client, last: Mutex::new(Availability::Unknown) })
    }

    /// What leaves this machine: without credentials, with the model's prefix for the role.
    fn outgoing(&self, role: EmbedRole, texts: Vec<String>) -> Vec<String> {
        let texts = texts.into_iter().map(|text| redact(&text).into_owned()).collect();
        prefix::apply_all(self.options.profile.prefix, role, texts)
    }

    fn post(&self, path: &str) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.options.base));
        match &self.options.key {
            Some(key) => request.bearer_auth(key.expose()),
            None => request,
        }
    }

    /// Sends and reads a JSON answer. The error is a refusal of the server or of the way to it.
    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Refusal> {
        let mut response = request.send().await.map_err(|cause| self.unreachable(&cause))?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|cause| self.unreachable(&cause))? {
            body.extend_from_slice(&chunk);
            if body.len() > MOST_BYTES {
                return Err(
                    provider(format!("{} sent more than {MOST_BYTES} bytes", self.options.base)).into()
                );
            }
        }
        if !status.is_success() {
            return Err(self.refusal(status, &String::from_utf8_lossy(&body)));
        }
        serde_json::from_slice(&body).map_err(|cause| {
            provider(format!("the answer of {} does not read: {cause}", self.options.base)).into()
        })
    }

    fn unreachable(&self, cause: &reqwest::Error) -> Refusal {
        if cause.is_timeout() {
            let message = format!("{} did not answer in time", self.options.base);
            return EmbedError { class: EmbedFailure::Timeout, message }.into();
        }
        // The innermost cause is the one that says what happened, such as "connection refused".
        let mut inner: &dyn std::error::Error = cause;
        while let Some(source) = inner.source() {
            inner = source;
        }
        provider(format!("cannot reach {}: {inner}", self.options.base)).into()
    }

    fn refusal(&self, status: StatusCode, body: &str) -> Refusal {
        let said = self.options.key.as_ref().map_or_else(|| body.to_owned(), |key| key.cut_from(body));
        let said: String = said_by(&said).chars().take(MOST_SHOWN).collect();
        let class = class_of(status, &said);
        let message = format!("{} answered {}: {said}", self.options.base, status.as_u16());
        Refusal {
            status: Some(status),
            json: body.trim_start().starts_with('{'),
            error: EmbedError { class, message },
        }
    }

    /// Checks vectors against the profile.
    fn vectors(&self, texts: usize, vectors: Vec<Vec<Option<f32>>>) -> Result<Vec<Embedded>, EmbedError> {
        if vectors.len() != texts {
            let message = format!("{} sent {} vectors for {texts} texts", self.options.base, vectors.len());
            return Err(provider(message));
        }
        vectors.into_iter().map(|vector| self.checked(vector)).collect()
    }

    fn checked(&self, vector: Vec<Option<f32>>) -> Result<Embedded, EmbedError> {
        let expected = self.options.profile.dimensions;
        if vector.len() != expected {
            let message = format!(
                "model {} sent a vector of {} values, embedding.dimensions says {expected}",
                self.options.profile.model,
                vector.len()
            );
            return Err(EmbedError { class: EmbedFailure::Dimension, message });
        }
        let values: Option<Vec<f32>> =
            vector.into_iter().map(|value| value.filter(|v| v.is_finite())).collect();
        match values {
            Some(vector) if vector.iter().any(|value| *value != 0.0) => {
                Ok(Embedded { vector, truncated: false })
            }
            _ => {
                let model = &self.options.profile.model;
                let message = format!("model {model} sent a vector that is zero or not finite");
                Err(EmbedError { class: EmbedFailure::InvalidInput, message })
            }
        }
    }

    fn record<T>(&self, outcome: Result<T, EmbedError>) -> Result<T, EmbedError> {
        let shown = match &outcome {
            Err(error) if !error.class.is_of_the_text() => Availability::Down(error.message.clone()),
            _ => Availability::Up,
        };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = shown;
        outcome
    }

    fn availability(&self) -> Availability {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A call that failed, with what a wire format needs to go on another way.
struct Refusal {
    status: Option<StatusCode>,
    json: bool,
    error: EmbedError,
}

impl From<EmbedError> for Refusal {
    fn from(error: EmbedError) -> Self {
        Self { status: None, json: false, error }
    }
}

fn provider(message: String) -> EmbedError {
    EmbedError { class: EmbedFailure::Provider, message }
}

fn is_loopback(base: &Url) -> bool {
    let host = base.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The sentence inside an error body: `error.message`, `error` or `message`, else the body itself.
fn said_by(body: &str) -> String {
    let parsed: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let places = [&parsed["error"]["message"], &parsed["error"], &parsed["message"]];
    places.iter().find_map(|place| place.as_str()).unwrap_or(body).trim().to_owned()
}

/// Words by which servers say that a text is too long.
const TOO_LONG: [&str; 6] =
    ["context length", "context size", "too long", "too large", "maximum input length", "too many tokens"];

fn class_of(status: StatusCode, said: &str) -> EmbedFailure {
    let said = said.to_lowercase();
    let too_long = TOO_LONG.iter().any(|words| said.contains(words));
    match status.as_u16() {
        413 => EmbedFailure::ContextLimit,
        // Some servers answer 500 for a text that is too long.
        400 | 422 | 500 if too_long => EmbedFailure::ContextLimit,
        // A wrong model name is no fault of the text.
        400 | 422 if !said.contains("model") => EmbedFailure::InvalidInput,
        408 | 504 => EmbedFailure::Timeout,
        _ => EmbedFailure::Provider,
    }
}

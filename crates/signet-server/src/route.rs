//! The route table: the source of router, permission, scope, limits, OpenAPI file and reference.

use std::future::Future;
use std::pin::Pin;

use axum::http::Method;
use signet_model::{Error, Permission};

use crate::cx::{Cx, Reply};
use crate::field::Field;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone who passes the Host and Origin checks.
    Open,
    /// Any valid credential.
    Any,
    /// A credential with this permission.
    Needs(Permission),
}

/// Rate-limit class; `middleware::rate` has the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rate {
    /// Not limited.
    None,
    /// Forget one.
    Forget,
    /// Change.
    Modify,
    /// Forget many.
    BatchForget,
    /// Administration.
    Admin,
    /// Recover.
    Recover,
    /// Redeem a hand-off code.
    Handoff,
    /// Any forget with `force`; counted beside the route's own class.
    ForceDelete,
    /// A credential that does not verify, per peer.
    FailedCredential,
}

/// Admission class; `middleware::admission` has the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Admission {
    /// Cheap reads: never held back.
    Open,
    /// Evidence coming in.
    Capture,
    /// Recall, similar, search.
    Recall,
    /// One at a time.
    Repair,
}

/// Answer of a handler.
pub type HandlerFuture = Pin<Box<dyn Future<Output = Result<Reply, Error>> + Send>>;

/// One route.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// Method.
    pub method: Verb,
    /// Path template with `{name}` parameters.
    pub path: &'static str,
    /// Other paths with the same meaning; answers carry `deprecation: true`.
    pub aliases: &'static [&'static str],
    /// Who may call it.
    pub access: Access,
    /// Rate-limit class.
    pub rate: Rate,
    /// Admission class.
    pub admission: Admission,
    /// Largest body in bytes.
    pub body_limit: usize,
    /// Fields of body and query.
    pub fields: &'static [Field],
    /// One sentence for the reference.
    pub doc: &'static str,
    /// JSON schema of the 200 answer.
    pub answer: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    /// The handler.
    pub handler: fn(Cx) -> HandlerFuture,
}

/// Methods a route can have (a `const` stand-in for [`Method`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// GET (HEAD works too).
    Get,
    /// POST.
    Post,
    /// PATCH.
    Patch,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
}

impl Verb {
    /// The word of the method as a request writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

impl From<Verb> for Method {
    fn from(method: Verb) -> Self {
        match method {
            Verb::Get => Self::GET,
            Verb::Post => Self::POST,
            Verb::Patch => Self::PATCH,
            Verb::Put => Self::PUT,
            Verb::Delete => Self::DELETE,
        }
    }
}

/// Default body limit.
pub const BODY: usize = 1_048_576;

/// A route with the usual limits; the rest is set with struct update syntax.
pub const fn route(
    method: Verb,
    path: &'static str,
    access: Access,
    handler: fn(Cx) -> HandlerFuture,
    answer: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    doc: &'static str,
) -> Route {
    Route {
        method,
        path,
        aliases: &[],
        access,
        rate: Rate::None,
        admission: Admission::Open,
        body_limit: BODY,
        fields: &[],
        doc,
        answer,
        handler,
    }
}

//! Everything between the socket and a handler, in one fixed order.
//!
//! Owns: the order. Each step lives in its own file and knows nothing of the others.
//! Must not do: anything a handler does.

pub mod access;
pub mod admission;
pub mod audit;
pub mod body;
pub mod boundary;
pub mod cors;
pub mod host;
pub mod idempotency;
pub mod latency;
pub mod lifecycle;
pub mod link;
pub mod origin;
pub mod permission;
pub mod rate;
pub mod run;
pub mod said;
pub mod scope;
pub mod unknown;

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use signet_model::{Actor, Code, Detail, Error, Permission};

use crate::AppState;
use crate::auth::actor::{Said, actor};
use crate::auth::principal::Principal;
use crate::cx::{Cx, Reply};
use crate::input::Input;
use crate::route::{Access, Route, Verb};
use crate::router::{Found, Router};
use access::Trail;
use link::Link;

/// Path parameters by name.
type Params = Vec<(String, String)>;

/// What a request went through to: an answer of a handler, or a preflight's empty one.
enum Outcome {
    Reply(Reply),
    Preflight,
}

/// Answers one request. Nothing leaves without a request id, a log line and the one error form.
pub async fn handle(state: Arc<AppState>, router: &Router, link: Link, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let request_id = said::request_id(&parts.headers, &state.ids);
    let mut trail = Trail::begin(request_id, parts.method.to_string());
    let outcome =
        match boundary::guarded(Box::pin(pass(&state, router, link, (&parts, body), &mut trail))).await {
            Ok(outcome) => outcome,
            Err(panic) => Err(Error::internal(format!("panic: {panic}"))),
        };
    let mut response = match &outcome {
        Ok(Outcome::Reply(reply)) => {
            audit::note_administration(&state, &trail, (&parts.headers, link), reply.status).await;
            success(reply)
        }
        Ok(Outcome::Preflight) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => {
            audit::note_refusal(&state, &trail, (&parts.headers, link), error).await;
            crate::error::response(error, state.clock.now())
        }
    };
    decorate(&mut response, &trail, matches!(outcome, Ok(Outcome::Preflight)));
    trail.end(response.status().as_u16(), outcome.as_ref().err(), &state.gate.latency);
    response
}

fn success(reply: &Reply) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(&reply.body)).into_response()
}

fn decorate(response: &mut Response, trail: &Trail, preflight: bool) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&trail.request_id) {
        headers.insert("x-signet-request-id", id);
    }
    if headers.get("content-type").is_some_and(|value| value == "application/json") {
        headers.insert("content-type", HeaderValue::from_static("application/json; charset=utf-8"));
    }
    if trail.deprecated {
        headers.insert("deprecation", HeaderValue::from_static("true"));
    }
    if let Some(origin) = &trail.origin {
        cors::answer(headers, origin);
    }
    if preflight {
        cors::preflight(headers);
    }
}

/// The order of the checks, first half: who asks for what, before anything of the body is read. The first
/// refusal ends it.
async fn pass(
    state: &Arc<AppState>,
    router: &Router,
    link: Link,
    (parts, body): (&Parts, Body),
    trail: &mut Trail,
) -> Result<Outcome, Error> {
    let headers = &parts.headers;
    // Found first, so that every refusal is logged under its route; used only after the site checks.
    let found = find(router, parts, trail);
    let rules = state.gate.live.rules();
    let authority = host::check(headers, &parts.uri, link, &rules.allowed_hosts)?;
    let sender = origin::check(headers, &authority, &rules.allowed_origins)?;
    trail.origin.clone_from(&sender.origin);
    if cors::is_preflight(&parts.method, headers) {
        return Ok(Outcome::Preflight);
    }
    lifecycle::check(&state.gate.life, parts.uri.path())?;
    let (route, params) = found?;
    let query = query_of(parts)?;
    body::check_announced(headers, route.body_limit)?;
    let principal = permission::identify(state, headers, link, route).await?;
    trail.subject = Some(principal.subject.clone());
    permission::check(&principal, route)?;
    let bytes = body::read(body, route.body_limit, state.config.deadline).await?;
    if sender.browser {
        body::check_type(headers, &bytes)?;
    }
    let sent = Sent { body: body::parse(&bytes)?, bytes, query };
    Box::pin(admit(state, route, Caller { link, principal, params }, (parts, &sent), trail)).await
}

/// What a request carries.
struct Sent {
    bytes: Bytes,
    body: Map<String, Value>,
    query: Vec<(String, String)>,
}

/// Who calls, and the parameters of the path.
struct Caller {
    link: Link,
    principal: Principal,
    params: Params,
}

/// The second half: scope, fields, limits, then the handler.
async fn admit(
    state: &Arc<AppState>,
    route: &Route,
    caller: Caller,
    (parts, sent): (&Parts, &Sent),
    trail: &mut Trail,
) -> Result<Outcome, Error> {
    let Caller { link, principal, params } = caller;
    let (headers, body, query) = (&parts.headers, &sent.body, &sent.query[..]);
    said::check(headers)?;
    let session_key = said::session_key(headers, body, query)?;
    let header = said::header(headers, "x-signet-agent-id");
    let named = scope::Named { body, query, header, session_key: session_key.as_deref() };
    let scope = scope::grant(named, &principal.restriction)?;
    trail.agent = Some(scope.agent().as_str().to_owned());
    let zone = said::zone(headers, &state.info.zone)?;
    let mut input = Input::check(route.fields, body, query, &zone)?;
    scope::restrict(route, &mut input, &principal.restriction, &scope)?;
    let actor = actor_of(&principal, (parts, sent), trail)?;
    state.gate.unknown.name(route, body, state.clock.now());
    // After the fields: a request that fails validation does not count.
    permission::count(state, &principal, link, route, &input)?;
    let permit = state.gate.rooms.enter(route.admission).await?;
    let keyed = idempotency::of(route, headers, &scope, (parts.uri.query().unwrap_or(""), &sent.bytes))?;
    let cx = Cx {
        state: Arc::clone(state),
        actor,
        scope,
        principal,
        link,
        request_id: trail.request_id.clone(),
        zone,
        reason: said::reason(headers, body, query),
        runtime_path: said::runtime_path(headers, body, query),
        session_key,
        path: params,
        input,
    };
    Box::pin(run::run(route, cx, (permit, keyed))).await.map(Outcome::Reply)
}

fn actor_of(principal: &Principal, (parts, sent): (&Parts, &Sent), trail: &Trail) -> Result<Actor, Error> {
    let headers = &parts.headers;
    let said = Said {
        kind: said::actor_kind(headers)?,
        name: said::claimed_name(headers, &sent.body, &sent.query)?,
    };
    let mut actor = actor(principal, parts.uri.path(), said);
    actor.request_id = Some(trail.request_id.clone());
    actor.session_id = said::session_id(headers)?;
    Ok(actor)
}

fn find<'r>(router: &'r Router, parts: &Parts, trail: &mut Trail) -> Result<(&'r Route, Params), Error> {
    match router.find(parts.method.as_str(), parts.uri.path()) {
        Found::Route { route, params, alias } => {
            trail.template = Some(route.path);
            trail.deprecated = alias;
            trail.administers = route.access == Access::Needs(Permission::Admin) && route.method != Verb::Get;
            Ok((route, params))
        }
        Found::WrongMethod { allow, template } => {
            trail.template = Some(template);
            let methods = allow.split(", ").map(str::to_owned).collect();
            Err(Error::new(Code::MethodNotAllowed, format!("this path takes {allow}"))
                .with("allow", Detail::List(methods)))
        }
        Found::NotProvided => Err(Error::new(Code::NotProvided, "this family of routes is not provided")
            .hint("Signet leaves it out on purpose; GET /api/openapi.json lists what there is")),
        Found::Nothing => Err(Error::not_found()),
    }
}

fn query_of(parts: &Parts) -> Result<Vec<(String, String)>, Error> {
    let Query(query) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
        .map_err(|_| Error::new(Code::InvalidRequest, "the query does not read"))?;
    if query.iter().any(|(name, _)| name == "token") {
        return Err(Error::field("token", "a URL never carries a credential")
            .hint("send `authorization: Bearer <token>`"));
    }
    Ok(query)
}

/// Whether anybody may call the route.
fn is_open(route: &Route) -> bool {
    route.access == Access::Open
}

/// The principal of an open route: a good credential counts there too, a bad one is only shown.
fn or_anonymous(found: Result<Principal, Error>) -> Principal {
    found.unwrap_or_else(|error| {
        let shown = (error.code != Code::AuthenticationRequired).then_some(error.message);
        Principal { error: shown, ..Principal::anonymous() }
    })
}

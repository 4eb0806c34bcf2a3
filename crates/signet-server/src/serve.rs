//! The server itself: listeners in, answers out, and an end in three steps.

use std::sync::Arc;
use std::time::Duration;

use axum::Router as AxumRouter;
use axum::body::{Body, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::http::header::CONTENT_LENGTH;
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::AppState;
use crate::middleware::link::Link;
use crate::middleware::{audit, handle};
use crate::route::Route;
use crate::router::Router;

/// Answers below this many bytes are not compressed.
const GZIP_ABOVE: u64 = 1024;
/// How often refused calls whose minute is over are written out.
const UPKEEP: Duration = Duration::from_secs(15);

/// The whole HTTP surface over a table of routes, as a service.
pub fn app(state: Arc<AppState>, table: Vec<Route>) -> AxumRouter {
    let router = Arc::new(Router::new(table));
    AxumRouter::new()
        .fallback(move |ConnectInfo(link): ConnectInfo<Link>, request: Request<Body>| {
            answer(Arc::clone(&state), Arc::clone(&router), link, request)
        })
        .layer(CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(GZIP_ABOVE)))
}

async fn answer(state: Arc<AppState>, router: Arc<Router>, link: Link, request: Request<Body>) -> Response {
    let head = request.method() == axum::http::Method::HEAD;
    let response = handle(state, &router, link, request).await;
    if head { without_body(response) } else { response }
}

/// The headers of the GET, its length included, and nothing after them.
fn without_body(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = HttpBody::size_hint(&body).exact() {
        parts.headers.insert(CONTENT_LENGTH, length.into());
    }
    Response::from_parts(parts, Body::empty())
}

/// Serves on every listener until [`crate::Life::soft`] is cancelled, then takes no new connection, lets
/// running requests and begun writes end, and after `grace` cancels [`crate::Life::hard`] and returns.
///
/// Errors: a listener that fails for good.
pub async fn serve(
    state: Arc<AppState>,
    listeners: Vec<TcpListener>,
    grace: Duration,
) -> std::io::Result<()> {
    let life = state.gate.life.clone();
    let app = app(Arc::clone(&state), crate::http::table());
    let mut servers = JoinSet::new();
    for listener in listeners {
        let service = app.clone().into_make_service_with_connect_info::<Link>();
        let ending = life.soft.clone().cancelled_owned();
        servers.spawn(async move { axum::serve(listener, service).with_graceful_shutdown(ending).await });
    }
    let upkeep = life.tasks.spawn(upkeep(Arc::clone(&state)));
    let mut outcome = Ok(());
    tokio::select! {
        () = life.soft.cancelled() => {}
        Some(ended) = servers.join_next() => {
            outcome = ended.unwrap_or_else(|lost| Err(std::io::Error::other(lost)));
            life.soft.cancel();
        }
    }
    life.tasks.close();
    let drained = async {
        while servers.join_next().await.is_some() {}
        life.tasks.wait().await;
    };
    if tokio::time::timeout(grace, drained).await.is_err() {
        tracing::warn!("requests still ran at the end of the grace period; they are dropped");
    }
    life.hard.cancel();
    drop(upkeep.await);
    audit::write(&state, state.gate.denials.all()).await;
    outcome
}

async fn upkeep(state: Arc<AppState>) {
    loop {
        tokio::select! {
            () = state.gate.life.soft.cancelled() => return,
            () = tokio::time::sleep(UPKEEP) => {}
        }
        let due = state.gate.denials.due(state.clock.now());
        audit::write(&state, due).await;
    }
}

//! Running a handler: its deadline, its end with the server, and writes that outlive their client.

use std::sync::Arc;

use signet_model::{Code, Error, Permission};

use super::admission::Permit;
use super::boundary::guarded;
use super::idempotency::{Keyed, once};
use crate::AppState;
use crate::cx::{Cx, Reply};
use crate::route::{Access, Route, Verb};

/// Runs the handler of an admitted request. A read ends with its client; a write runs in a task of its
/// own, so that what was begun is finished though nobody waits any more.
pub async fn run(route: &Route, cx: Cx, (permit, keyed): (Permit, Option<Keyed>)) -> Result<Reply, Error> {
    let state = Arc::clone(&cx.state);
    let work = work(route.handler, cx, permit, keyed);
    let waiting = async {
        if is_read(route) {
            return work.await;
        }
        let task = state.gate.life.tasks.spawn(work);
        task.await.unwrap_or_else(|lost| Err(Error::internal(lost)))
    };
    tokio::select! {
        outcome = tokio::time::timeout(state.config.deadline, waiting) => {
            outcome.unwrap_or_else(|_| Err(late(&state)))
        }
        () = state.gate.life.hard.cancelled() => {
            Err(Error::new(Code::ShuttingDown, "the daemon is shutting down"))
        }
    }
}

async fn work(
    handler: fn(Cx) -> crate::route::HandlerFuture,
    cx: Cx,
    permit: Permit,
    keyed: Option<Keyed>,
) -> Result<Reply, Error> {
    let state = Arc::clone(&cx.state);
    let guarded = async {
        guarded(async move { handler(cx).await })
            .await
            .unwrap_or_else(|panic| Err(Error::internal(format!("panic: {panic}"))))
    };
    let outcome = match &keyed {
        Some(keyed) => once(&state, keyed, guarded).await,
        None => guarded.await,
    };
    drop(permit);
    outcome
}

fn is_read(route: &Route) -> bool {
    route.method == Verb::Get || route.access == Access::Needs(Permission::Recall)
}

fn late(state: &AppState) -> Error {
    let seconds = state.config.deadline.as_secs();
    Error::new(Code::Overloaded, format!("the request took longer than {seconds} s"))
        .hint("a write that was begun may still be stored; ask before sending it again")
}

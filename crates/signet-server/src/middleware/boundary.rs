//! The unwind boundary of a request: a panic is one 500, and the daemon lives on.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Runs `future`; a panic in it comes back as its text. The future is not polled again afterwards, so
/// nothing it left half done is seen by it; what it shared must hold its own invariants.
pub async fn guarded<F: Future>(future: F) -> Result<F::Output, String> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(text(panic.as_ref()))),
    })
    .await
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_its_text() {
        assert_eq!(guarded(async { 1 }).await, Ok(1));
        let result: Result<(), String> = guarded(async { panic!("no {}", "way") }).await;
        assert_eq!(result, Err("no way".to_owned()));
    }
}

//! Renewal of search forms: once, when a new build prepares texts for the index in another way.

use signet_store::rebuild::refresh_search_forms;
use signet_store::{Reader, Writer};
use tokio_util::sync::CancellationToken;

/// Brings the store's search forms up to date, which is nearly always done already, and waits for the end
/// of the daemon. A renewal that is cut short by that end goes on at the next start.
pub async fn run(reader: Reader, writer: Writer, stop: CancellationToken) {
    let work = tokio::task::spawn_blocking(move || refresh_search_forms(&reader, &writer));
    tokio::select! {
        () = stop.cancelled() => return,
        done = work => match done {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(changed))) => tracing::info!(changed, "search forms are of this build's rule"),
            Ok(Err(failure)) => tracing::warn!("search forms are not renewed: {failure}"),
            Err(failure) => tracing::error!("the renewal of search forms broke: {failure}"),
        },
    }
    stop.cancelled().await;
}

#[cfg(test)]
mod tests {
    use signet_store::testing::TestStore;

    use super::*;

    #[tokio::test]
    async fn it_ends_with_the_daemon() {
        let store = TestStore::new();
        let stop = CancellationToken::new();
        stop.cancel();
        run(store.reader(), store.writer(), stop).await;
    }
}

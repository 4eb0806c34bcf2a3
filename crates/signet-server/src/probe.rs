//! Whether the database answers: asked at most twice a minute, never waited for longer than two seconds.

use std::time::Duration;

use signet_model::Timestamp;
use signet_store::control::meta;

use crate::AppState;

const KEPT_MS: i64 = 30_000;
const PATIENCE: Duration = Duration::from_secs(2);

/// The last look at the database.
#[derive(Debug, Default)]
pub struct Probe {
    last: tokio::sync::Mutex<Option<Seen>>,
}

/// What a look showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// A read came back.
    pub reader: bool,
    /// An empty write came back.
    pub writer: bool,
    /// Bytes free for the database; `None` where the system does not tell.
    pub free_bytes: Option<u64>,
    /// When it was.
    pub at: Timestamp,
}

/// The present state, at most 30 s old. Callers that come together share one look.
pub async fn look(state: &AppState) -> Seen {
    let mut last = state.gate.probe.last.lock().await;
    let now = state.clock.now();
    if let Some(seen) = *last
        && now.millis() - seen.at.millis() < KEPT_MS
    {
        return seen;
    }
    let read = state.reader.read(|tx| meta::find(tx, "probe").map(drop));
    let write = state.writer.write(|_| Ok(()));
    let (reader, writer) =
        tokio::join!(tokio::time::timeout(PATIENCE, read), tokio::time::timeout(PATIENCE, write));
    let seen = Seen {
        reader: matches!(reader, Ok(Ok(()))),
        writer: matches!(writer, Ok(Ok(()))),
        free_bytes: state.info.workspace.report.free_bytes_now(),
        at: now,
    };
    *last = Some(seen);
    seen
}

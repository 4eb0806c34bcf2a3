//! Quiet upkeep between batches: the mirror is checked and rebuilt, and rows that fell out of the queue
//! are found.

use signet_model::Timestamp;
use signet_store::derived::vec::{self, Mirror};
use signet_store::derived::{profile, reconcile};
use signet_store::{Result, StoreError};

use super::Handles;

/// Rows of one step.
const STEP: usize = 1_000;
/// Pause between two steps of a walk through all rows.
const STEP_MS: i64 = 5_000;
/// Pause between two walks.
const WALK_MS: i64 = 3_600_000;
/// Pause between two checks of the mirror, and between two rebuilds.
const CHECK_MS: i64 = 600_000;

/// Where upkeep stands.
#[derive(Debug)]
pub(super) struct Upkeep {
    cursor: i64,
    next_step: Timestamp,
    next_check: Timestamp,
}

impl Upkeep {
    /// Everything is due at the first step.
    pub(super) const fn new() -> Self {
        let at_once = Timestamp::from_millis(i64::MIN);
        Self { cursor: 0, next_step: at_once, next_check: at_once }
    }

    /// One step; says whether there is more to do at once.
    pub(super) async fn step(&mut self, handles: &Handles) -> bool {
        match self.try_step(handles).await {
            Ok(more) => more,
            Err(StoreError::Closed) => false,
            Err(error) => {
                tracing::warn!(%error, "upkeep of vectors failed");
                self.next_step = handles.clock.now().plus_millis(CHECK_MS);
                self.next_check = self.next_step;
                false
            }
        }
    }

    async fn try_step(&mut self, handles: &Handles) -> Result<bool> {
        let now = handles.clock.now();
        let mirror = handles.reader.read(vec::mirror).await?;
        if mirror == Mirror::Building || (mirror == Mirror::Absent && now >= self.next_check) {
            let done = handles.writer.write(|tx| vec::rebuild_step(tx, STEP)).await?;
            if done {
                self.next_check = now.plus_millis(CHECK_MS);
            }
            return Ok(!done);
        }
        if mirror == Mirror::Ready && now >= self.next_check {
            if !handles.reader.read(vec::agrees).await? {
                tracing::warn!("the vector mirror disagrees with the vectors and is rebuilt");
                handles.writer.write(vec::mark_absent).await?;
                return Ok(true);
            }
            self.next_check = now.plus_millis(CHECK_MS);
        }
        if now >= self.next_step {
            return self.walk(handles, now).await;
        }
        Ok(false)
    }

    async fn walk(&mut self, handles: &Handles, now: Timestamp) -> Result<bool> {
        let cursor = self.cursor;
        let found = handles.reader.read(move |tx| match profile::active(tx)? {
            Some(active) => reconcile::inspect(tx, &active, cursor, STEP),
            None => Ok(reconcile::Found::default()),
        });
        let found = found.await?;
        self.cursor = found.next.unwrap_or(0);
        self.next_step = now.plus_millis(if found.next.is_some() { STEP_MS } else { WALK_MS });
        if found.missing.is_empty() && found.orphans.is_empty() {
            return Ok(false);
        }
        tracing::info!(missing = found.missing.len(), orphans = found.orphans.len(), "vectors repaired");
        handles.writer.write(move |tx| reconcile::repair(tx, &found)).await?;
        Ok(true)
    }
}

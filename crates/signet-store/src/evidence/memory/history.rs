//! The history of one memory, also after it was purged.

use signet_model::{AgentScope, MemoryId};

use crate::audit::history::{self, Entry};
use crate::evidence::memory::{admit, row};
use crate::{ReadTx, Result};

/// Events of a memory of the agent, oldest first; empty when there are none.
///
/// 403 outside the credential's projects or user. Of a purged memory neither is known any more, so a
/// restricted credential sees nothing of it.
pub fn of(tx: &ReadTx<'_>, scope: &AgentScope, id: &MemoryId, limit: i64) -> Result<Vec<Entry>> {
    match row::find(tx, scope.agent(), id)? {
        Some(row) => admit::place(scope, &row.place.project, row.who.as_deref())?,
        None if scope.projects().is_some() || scope.user().is_some() => return Ok(Vec::new()),
        None => {}
    }
    history::list(tx, scope.agent(), id, limit)
}

#[cfg(test)]
mod tests;

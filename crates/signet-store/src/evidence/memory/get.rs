//! One memory by its id.

use signet_model::memory::Visibility;
use signet_model::{AgentScope, MemoryId, Timestamp};

use crate::derived::eligible::owners;
use crate::evidence::memory::list::Listed;
use crate::evidence::memory::row::{self, MemoryRow};
use crate::evidence::memory::{admit, recover, safety};
use crate::{ReadTx, Result};

/// Whether a forgotten row may be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bin {
    /// Never.
    Closed,
    /// While it can be taken back.
    Open,
}

/// The row that this reader means: its own, whatever its visibility, else a `global` one of an agent
/// whose rows its read policy shows. `None` alike for missing, forgotten and foreign rows; 403 for an
/// own row outside the credential's projects or user.
pub fn get(
    tx: &ReadTx<'_>,
    scope: &AgentScope,
    id: &MemoryId,
    (bin, now): (Bin, Timestamp),
) -> Result<Option<Listed>> {
    let found = match own(tx, scope, id, (bin, now))? {
        Some(row) => Some(row),
        None => shared(tx, scope, id)?,
    };
    found.map(|row| Ok(Listed { safety: safety::find(tx, &row.agent, &row.id)?, row })).transpose()
}

fn own(
    tx: &ReadTx<'_>,
    scope: &AgentScope,
    id: &MemoryId,
    (bin, now): (Bin, Timestamp),
) -> Result<Option<MemoryRow>> {
    let Some(row) = row::find(tx, scope.agent(), id)? else { return Ok(None) };
    let shown = !row.deleted || (bin == Bin::Open && recover::in_window(&row, now));
    if !shown {
        return Ok(None);
    }
    admit::place(scope, &row.place.project, row.who.as_deref())?;
    Ok(Some(row))
}

fn shared(tx: &ReadTx<'_>, scope: &AgentScope, id: &MemoryId) -> Result<Option<MemoryRow>> {
    for owner in owners(tx, scope)?.into_iter().filter(|owner| !owner.own) {
        let found = row::find(tx, &owner.agent, id)?.filter(|row| {
            !row.deleted
                && row.place.visibility == Visibility::Global
                && admit::place(scope, &row.place.project, row.who.as_deref()).is_ok()
        });
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;

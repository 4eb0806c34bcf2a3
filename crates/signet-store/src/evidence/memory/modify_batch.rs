//! Changing many: each item stands or falls alone.

use signet_model::memory::forget::ItemResult;
use signet_model::memory::outcome::Edited;
use signet_model::memory::{CheckedChange, Warrant};
use signet_model::{Actor, AgentScope, Error, MemoryId};

use crate::evidence::memory::edit;
use crate::{Result, StoreError, WriteTx};

/// One item of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// Row.
    pub id: MemoryId,
    /// Wanted values, or why they were refused already.
    pub change: std::result::Result<CheckedChange, Error>,
    /// Reason and version.
    pub warrant: Warrant,
}

/// Applies each patch in a savepoint of its own; a refused one stops nothing. Errors of the store
/// itself stop the batch, of which then nothing is left.
pub fn modify(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    patches: Vec<Patch>,
) -> Result<Vec<ItemResult<Edited>>> {
    let mut results = Vec::with_capacity(patches.len());
    for Patch { id, change, warrant } in patches {
        let result = match change {
            Err(refused) => Err(refused),
            Ok(change) => attempt(tx, || edit::edit(tx, scope, actor, (&id, &change), &warrant))?,
        };
        results.push(ItemResult { id, result });
    }
    Ok(results)
}

/// Runs one item of a batch: a refusal is its result, any other failure is the batch's.
pub(super) fn attempt<T>(
    tx: &WriteTx<'_>,
    work: impl FnOnce() -> Result<T>,
) -> Result<std::result::Result<T, Error>> {
    match tx.nested(work) {
        Ok(done) => Ok(Ok(done)),
        Err(StoreError::Refused(refused)) => Ok(Err(refused)),
        Err(failure) => Err(failure),
    }
}

#[cfg(test)]
mod tests;

//! Storing many in one commit.

use signet_model::memory::Prepared;
use signet_model::memory::outcome::Remembered;
use signet_model::{Actor, AgentScope, Detail, Error, MemoryId};

use crate::evidence::memory::modify_batch::attempt;
use crate::evidence::memory::remember;
use crate::{Result, WriteTx};

/// Whether a refused item refuses the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Together {
    /// Each item stands or falls alone.
    Each,
    /// All or none.
    AllOrNone,
}

/// An item that was prepared, or why it was refused already.
pub type Item = std::result::Result<Prepared, Error>;

/// Stores each item in a savepoint of its own. With [`Together::AllOrNone`] the first refusal is the
/// batch's, with the item's `index`, and nothing is stored.
pub fn remember_batch(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    (items, together): (&[Item], Together),
) -> Result<Vec<std::result::Result<Remembered, Error>>> {
    let mut results = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let result = match item {
            Ok(prepared) => attempt(tx, || remember::remember(tx, scope, actor, prepared))?,
            Err(refused) => Err(refused.clone()),
        };
        match (result, together) {
            (Err(refused), Together::AllOrNone) => {
                let refused = without_undone(refused, &results);
                let index = i64::try_from(index).unwrap_or(i64::MAX);
                return Err(refused.with("index", Detail::Number(index)).into());
            }
            (result, _) => results.push(result),
        }
    }
    Ok(results)
}

/// The refusal without the ids of rows that the batch stored and now takes back.
fn without_undone(mut refused: Error, results: &[std::result::Result<Remembered, Error>]) -> Error {
    let stored: Vec<&MemoryId> = results
        .iter()
        .flatten()
        .flat_map(|stored| match stored {
            Remembered::One(one) if one.deduped.is_none() => std::slice::from_ref(&one.id),
            Remembered::Group(group) if !group.deduped => group.ids.as_slice(),
            _ => &[],
        })
        .collect();
    let undone = |detail: &Detail| matches!(detail, Detail::Text(text) if stored.iter().any(|id| id.as_str() == text.as_str()));
    refused.details.retain(|(_, detail)| !undone(detail));
    refused
}

#[cfg(test)]
mod tests;

//! The slices of a stored long text: whether they still are the text, and what becomes of the rest.

use rusqlite::{Params, params};
use signet_model::memory::Place;
use signet_model::text::normal;
use signet_model::{AgentId, MemoryId};

use super::dedupe::slice_key;
use crate::evidence::memory::row::{COLUMNS, MemoryRow, read};
use crate::{ReadTx, Result, WriteTx};

/// Index `ux_memories_group`: every current slice of the text.
pub(super) const BY_GROUP: &str = "m.agent_id = ?1 AND m.project = ?2 AND m.scope = ?3 AND m.visibility = ?4
  AND m.group_hash = ?5 AND m.is_deleted = 0 AND m.superseded_by IS NULL AND m.dedupe = 'group'
  ORDER BY m.group_index LIMIT 100000";

/// The first slice of the stored text, when every slice is there, current and unchanged.
///
/// A text of which one slice was forgotten, replaced, edited or made private is not known any more.
pub(super) fn whole(
    tx: &ReadTx<'_>,
    agent: &AgentId,
    place: &Place,
    hash: &str,
) -> Result<Option<MemoryRow>> {
    let slices =
        rows(tx, params![agent.as_str(), place.project, place.scope, place.visibility.as_str(), hash])?;
    let Some(first) = slices.first() else { return Ok(None) };
    let in_order = slices
        .iter()
        .zip(0_i64..)
        .all(|(slice, index)| slice.group_index == Some(index) && slice.group_id == first.group_id);
    let complete = first.group_count.and_then(|count| usize::try_from(count).ok()) == Some(slices.len());
    let joined: String = slices.iter().map(|slice| slice.content.as_str()).collect();
    let known = in_order && complete && normal::content_hash(&joined) == hash;
    Ok(slices.into_iter().next().filter(|_| known))
}

/// The current slice of another group of the same text that stands where `row` stood, else its first.
pub(crate) fn group_twin(tx: &ReadTx<'_>, row: &MemoryRow) -> Result<Option<MemoryId>> {
    let (place, Some(hash)) = (&row.place, &row.group_hash) else { return Ok(None) };
    let slices =
        rows(tx, params![row.agent.as_str(), place.project, place.scope, place.visibility.as_str(), hash])?;
    let mut others: Vec<_> = slices.into_iter().filter(|slice| slice.group_id != row.group_id).collect();
    let at = others.iter().position(|slice| slice.group_index == row.group_index).unwrap_or(0);
    Ok((at < others.len()).then(|| others.swap_remove(at).id))
}

/// What is left of the text stays as it is, but stands in no new group's way: neither by its place in
/// the text nor by the key of the call.
pub(super) fn retire(
    tx: &WriteTx<'_>,
    agent: &AgentId,
    place: &Place,
    (hash, key): (&str, Option<&str>),
) -> Result<()> {
    const SLICES: &str = "UPDATE memories SET dedupe = 'none'
        WHERE agent_id = ?1 AND project = ?2 AND scope = ?3 AND visibility = ?4 AND group_hash = ?5
          AND is_deleted = 0 AND superseded_by IS NULL AND dedupe = 'group'";
    const KEYS: &str = "UPDATE memories SET idempotency_key = NULL
        WHERE agent_id = ?1 AND project = ?2 AND scope = ?3 AND visibility = ?4 AND group_hash = ?5
          AND idempotency_key >= ?6 AND idempotency_key < ?7 AND idempotency_key IS NOT NULL AND is_deleted = 0";
    let (agent, visibility) = (agent.as_str(), place.visibility.as_str());
    tx.execute(SLICES, params![agent, place.project, place.scope, visibility, hash])?;
    if let Some(key) = key {
        let keys = (slice_key(key, ""), format!("{key}:chunk;"));
        tx.execute(KEYS, params![agent, place.project, place.scope, visibility, hash, keys.0, keys.1])?;
    }
    Ok(())
}

fn rows(tx: &ReadTx<'_>, params: impl Params) -> Result<Vec<MemoryRow>> {
    let mut statement = tx.prepare(&format!("SELECT {COLUMNS} FROM memories AS m WHERE {BY_GROUP}"))?;
    let mut rows = statement.query(params)?;
    let mut slices = Vec::new();
    while let Some(row) = rows.next()? {
        slices.push(read(row)?);
    }
    Ok(slices)
}

#[cfg(test)]
mod tests;

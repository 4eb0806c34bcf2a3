//! Whether a text is stored already: by source, then by idempotency key, then by hash.
//!
//! Each look-up has the columns and the predicate of its unique index, so the index never refuses what
//! a look-up let through.

use rusqlite::{Params, params};
use signet_model::memory::{Prepared, Texts};
use signet_model::{AgentId, AgentScope, Code, Detail, Error, MemoryId};

use super::group;
use crate::evidence::memory::admit;
use crate::evidence::memory::row::{COLUMNS, MemoryRow, read};
use crate::{ReadTx, Result};

/// Index `ux_memories_source`.
const BY_SOURCE: &str = "m.agent_id = ?1 AND m.project = ?2 AND m.scope = ?3 AND m.visibility = ?4
  AND m.source_type = ?5 AND m.source_id = ?6
  AND m.source_id <> '' AND m.is_deleted = 0 AND m.superseded_by IS NULL AND m.dedupe = 'text' LIMIT 1";
/// Index `ux_memories_idem`. A replaced row still answers for its key: a repeat of an old call is
/// no new statement. A long text's key stands on its slices, with a suffix.
const BY_KEY: &str = "m.agent_id = ?1 AND m.project = ?2 AND m.scope = ?3 AND m.visibility = ?4
  AND (m.idempotency_key = ?5
    OR (m.idempotency_key >= ?5 || ':chunk:' AND m.idempotency_key < ?5 || ':chunk;' AND m.group_id IS NOT NULL))
  AND m.idempotency_key IS NOT NULL AND m.is_deleted = 0 ORDER BY m.idempotency_key LIMIT 1";
/// Index `ux_memories_text`.
const BY_HASH: &str = "m.agent_id = ?1 AND m.project = ?2 AND m.scope = ?3 AND m.visibility = ?4
  AND m.content_hash = ?5 AND m.is_deleted = 0 AND m.superseded_by IS NULL AND m.dedupe = 'text' LIMIT 1";
/// Each look-up with the index it stands on.
#[cfg(test)]
pub(super) const LOOK_UPS: [(&str, &str); 4] = [
    (BY_SOURCE, "ux_memories_source"),
    (BY_KEY, "ux_memories_idem"),
    (BY_HASH, "ux_memories_text"),
    (group::BY_GROUP, "ux_memories_group"),
];

/// The stored row that answers for a text, or the first slice of a stored long text.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) row: MemoryRow,
    pub(super) same_text: bool,
}

/// Finds the row that a draft repeats; `None` = it is new. Refused: 409 `idempotency_mismatch`, and
/// 403 when the key stands on a row outside the credential's projects or user.
pub(super) fn find(tx: &ReadTx<'_>, scope: &AgentScope, prepared: &Prepared) -> Result<Option<Found>> {
    if let Some(found) = by_source(tx, scope.agent(), prepared)? {
        return Ok(Some(found));
    }
    if let Some(found) = by_key(tx, scope, prepared)? {
        return Ok(Some(found));
    }
    by_hash(tx, scope.agent(), prepared)
}

/// The look-up of the text alone, as an edit and a recover need it too.
pub(crate) fn text_twin(tx: &ReadTx<'_>, row: &MemoryRow, hash: &str) -> Result<Option<MemoryId>> {
    let place = &row.place;
    let found = one(
        tx,
        BY_HASH,
        params![row.agent.as_str(), place.project, place.scope, place.visibility.as_str(), hash],
    )?;
    Ok(found.map(|twin| twin.id).filter(|id| *id != row.id))
}

fn by_source(tx: &ReadTx<'_>, agent: &AgentId, prepared: &Prepared) -> Result<Option<Found>> {
    let (place, source) = (&prepared.draft.place, &prepared.draft.source);
    let Some(id) = source.id.as_deref().filter(|id| !id.is_empty()) else { return Ok(None) };
    let kind = source.kind.as_deref().unwrap_or("manual");
    let found = one(
        tx,
        BY_SOURCE,
        params![agent.as_str(), place.project, place.scope, place.visibility.as_str(), kind, id],
    )?;
    let found = found.map(|row| Found { same_text: same_text(&row, prepared), row });
    // The row that is to be replaced does not stand in the way of what replaces it.
    let replaced =
        |found: &Found| !found.same_text && prepared.draft.supersedes.as_ref() == Some(&found.row.id);
    Ok(found.filter(|found| !replaced(found)))
}

fn by_key(tx: &ReadTx<'_>, scope: &AgentScope, prepared: &Prepared) -> Result<Option<Found>> {
    let place = &prepared.draft.place;
    let Some(key) = prepared.draft.idempotency_key.as_deref() else { return Ok(None) };
    let agent = scope.agent().as_str();
    let found = one(tx, BY_KEY, params![agent, place.project, place.scope, place.visibility.as_str(), key])?;
    match found {
        Some(row) if same_text(&row, prepared) => match prepared.texts {
            Texts::One(_) => Ok(Some(Found { row, same_text: true })),
            // One slice says nothing of the others; the look-up by hash sees them all.
            Texts::Slices { .. } => Ok(None),
        },
        Some(row) => {
            // Another user's row is refused without its id.
            admit::place(scope, &row.place.project, row.who.as_deref())?;
            Err(Error::new(Code::IdempotencyMismatch, "the idempotency key was used with another text")
                .with("existingId", Detail::Text(row.id.as_str().to_owned()))
                .into())
        }
        None => Ok(None),
    }
}

fn by_hash(tx: &ReadTx<'_>, agent: &AgentId, prepared: &Prepared) -> Result<Option<Found>> {
    let place = &prepared.draft.place;
    let found = match &prepared.texts {
        Texts::One(text) => one(
            tx,
            BY_HASH,
            params![agent.as_str(), place.project, place.scope, place.visibility.as_str(), text.hash],
        )?,
        Texts::Slices { hash, .. } => group::whole(tx, agent, place, hash)?,
    };
    Ok(found.map(|row| Found { row, same_text: true }))
}

/// The key of a slice of a long text.
pub(super) fn slice_key(key: &str, index: impl std::fmt::Display) -> String {
    format!("{key}:chunk:{index}")
}

fn same_text(row: &MemoryRow, prepared: &Prepared) -> bool {
    match &prepared.texts {
        Texts::One(text) => row.content_hash == text.hash && row.group_hash.is_none(),
        Texts::Slices { hash, .. } => row.group_hash.as_ref() == Some(hash),
    }
}

fn one(tx: &ReadTx<'_>, condition: &str, params: impl Params) -> Result<Option<MemoryRow>> {
    let mut statement = tx.prepare(&format!("SELECT {COLUMNS} FROM memories AS m WHERE {condition}"))?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

//! What a repeat comes back with: the stored row as it is, with missing tags and hints added.

use rusqlite::params;
use signet_model::memory::Prepared;
use signet_model::memory::outcome::{Deduped, Remembered, RememberedGroup, RememberedOne};
use signet_model::{Actor, AgentScope, MemoryId};

use crate::audit::history::{self, Event, EventKind};
use crate::derived::embedding;
use crate::evidence::memory::{MemoryRow, admit, hints, safety, supersede, tags};
use crate::{Result, WriteTx};

use super::{Found, Repeat};

/// Answers with the stored row. Equal text also adds what the row lacks, where the caller may change
/// it, and replaces the row that the call names.
pub(super) fn answer(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    prepared: &Prepared,
    (found, replaced): Repeat,
) -> Result<Remembered> {
    let Found { mut row, same_text } = found;
    let agent = scope.agent();
    // A source id may belong to another user's memory, whose text the caller may not see.
    admit::place(scope, &row.place.project, row.who.as_deref())?;
    if row.group_id.is_some() {
        return group(tx, &row, prepared).map(Remembered::Group);
    }
    let hints_written = if same_text { add_missing(tx, actor, prepared, &mut row)? } else { 0 };
    let replaced = replaced.filter(|old| same_text && old.id != row.id);
    if let Some(old) = &replaced {
        supersede::mark(tx, actor, old, (&row.id, prepared.draft.reason.as_deref()))?;
    }
    let state = tx.as_read();
    Ok(Remembered::One(Box::new(RememberedOne {
        embedded: embedding::is_embedded(&state, agent, &row.id)?,
        safety: safety::find(&state, agent, &row.id)?,
        kind: row.kind.clone(),
        tags: row.tag_list(),
        pinned: row.pinned,
        importance: row.importance,
        hints_written,
        superseded: replaced.map(|old| old.id),
        repaired: super::repaired(prepared),
        visibility: row.place.visibility,
        deduped: Some(if same_text { Deduped::SameText } else { Deduped::OtherText }),
        id: row.id,
        content: row.content,
    })))
}

/// Adds missing tags and hints and raises the importance; never lowers or rewrites. A machine leaves
/// pinned rows alone. Answers the number of new hints.
fn add_missing(tx: &WriteTx<'_>, actor: &Actor, prepared: &Prepared, row: &mut MemoryRow) -> Result<usize> {
    const SQL: &str =
        "UPDATE memories SET tags = ?3, importance = ?4, version = version + 1, updated_at = ?5,
          updated_by = ?6 WHERE agent_id = ?1 AND id = ?2";
    if row.pinned && !actor.kind.is_person() {
        return Ok(0);
    }
    let mut all = row.tag_list();
    all.extend(prepared.tags.iter().filter(|tag| !row.tag_list().contains(tag)).cloned());
    all.truncate(signet_model::text::prefix::MAX_TAGS);
    let raised = row.importance.max(prepared.importance);
    let added = hints::add(tx, &row.agent, &row.id, &prepared.hints)?;
    let joined = all.join(",");
    let mut changed = Vec::new();
    if joined != row.tags {
        changed.push("tags");
    }
    if raised > row.importance {
        changed.push("importance");
    }
    if added > 0 {
        changed.push("hints");
    }
    if changed.is_empty() {
        return Ok(0);
    }
    let now = tx.now().to_string();
    tx.execute(SQL, params![row.agent.as_str(), row.id.as_str(), joined, raised, now, actor.name])?;
    tags::add(tx, &row.agent, &row.id, &all)?;
    let event =
        Event::new(&row.id, EventKind::Updated, Some("remembered again")).with("changedFields", changed);
    history::record(tx, &row.agent, actor, event)?;
    row.tags = joined;
    row.importance = raised;
    Ok(added)
}

fn group(tx: &WriteTx<'_>, first: &MemoryRow, prepared: &Prepared) -> Result<RememberedGroup> {
    const SQL: &str = "SELECT id FROM memories WHERE agent_id = ?1 AND group_id = ?2 AND is_deleted = 0
        ORDER BY group_index LIMIT 100000";
    let mut statement = tx.prepare(SQL)?;
    let ids = statement
        .query_map(params![first.agent.as_str(), first.group_id], |row| row.get::<_, String>(0))?
        .map(|id| id.map(MemoryId::new))
        .collect::<rusqlite::Result<_>>()?;
    let group = first.group_id.clone().unwrap_or_default();
    Ok(RememberedGroup { group, ids, deduped: true, hints_written: 0, repaired: super::repaired(prepared) })
}

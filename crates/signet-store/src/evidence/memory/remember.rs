//! Storing a memory: tombstones, dedupe, rows, history, safety, tags, hints, supersede, in one closure.
//!
//! What needs no database was done before ([`signet_model::memory::prepare()`]). A vector is never made
//! here: a trigger queues it, and the call is answered by the commit alone (INV-1).

mod dedupe;
mod group;
mod insert;
mod known;

use signet_model::memory::outcome::{ContentSafety, Remembered, RememberedGroup, RememberedOne};
use signet_model::memory::{Prepared, Text, Texts};
use signet_model::{Actor, AgentScope, MemoryId};

use crate::evidence::memory::{admit, hints, supersede};
use crate::evidence::tombstone;
use crate::{Result, WriteTx};
pub(crate) use dedupe::text_twin;
pub(crate) use group::group_twin;

use dedupe::Found;
use insert::Slot;

/// Author of a memory that names none.
pub(crate) const WHO: &str = "daemon";

/// Stores what was prepared, or finds it stored already.
///
/// Refused: 403 outside the credential's projects or user, 409 `forgotten` for a machine writer and a
/// tombstoned text, 409 `idempotency_mismatch` with `existingId`, and what
/// [`supersede`](crate::evidence::memory::supersede::supersede) refuses.
pub fn remember(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    prepared: &Prepared,
) -> Result<Remembered> {
    let draft = &prepared.draft;
    admit::place(scope, &draft.place.project, Some(draft.who.as_deref().unwrap_or(WHO)))?;
    let restored = admit_texts(tx, scope, actor, &prepared.texts)?;
    let replaced = match &draft.supersedes {
        Some(id) => Some(supersede::target(tx, scope, actor, (id, &draft.place))?),
        None => None,
    };
    let found = dedupe::find(&tx.as_read(), scope, prepared)?;
    if let Some(found) = found {
        return known::answer(tx, scope, actor, prepared, (found, replaced));
    }
    let reason = if restored { Some("forgotten_text_restored") } else { draft.reason.as_deref() };
    let new = insert::New { scope, actor, prepared, reason, meta: insert::meta(prepared) };
    match &prepared.texts {
        Texts::One(text) => {
            let id = MemoryId::new(tx.mint());
            if let Some(row) = &replaced {
                supersede::mark(tx, actor, row, (&id, draft.reason.as_deref()))?;
            }
            one(tx, &new, text, id).map(|row| Remembered::One(Box::new(row)))
        }
        Texts::Slices { hash, slices } => {
            let key = draft.idempotency_key.as_deref();
            group::retire(tx, scope.agent(), &draft.place, (hash, key))?;
            slices_of(tx, &new, hash, slices).map(Remembered::Group)
        }
    }
}

/// Looks for tombstones of the whole text and of each slice; says whether a person lifted one.
fn admit_texts(tx: &WriteTx<'_>, scope: &AgentScope, actor: &Actor, texts: &Texts) -> Result<bool> {
    let agent = scope.agent();
    match texts {
        Texts::One(text) => tombstone::admit(tx, agent, actor, &text.hash),
        Texts::Slices { hash, slices } => {
            let mut restored = tombstone::admit(tx, agent, actor, hash)?;
            for slice in slices {
                restored |= tombstone::admit(tx, agent, actor, &slice.hash)?;
            }
            Ok(restored)
        }
    }
}

fn one(tx: &WriteTx<'_>, new: &insert::New<'_>, text: &Text, id: MemoryId) -> Result<RememberedOne> {
    let prepared = new.prepared;
    insert::row(tx, new, text, (&id, Slot::Whole))?;
    let hints_written = hints::add(tx, new.scope.agent(), &id, &prepared.hints)?;
    Ok(RememberedOne {
        id,
        kind: prepared.kind.clone(),
        tags: prepared.tags.clone(),
        pinned: prepared.pinned,
        importance: prepared.importance,
        content: text.content.clone(),
        visibility: prepared.draft.place.visibility,
        embedded: false,
        hints_written,
        superseded: prepared.draft.supersedes.clone(),
        safety: Some(ContentSafety::from(&text.verdict)),
        repaired: repaired(prepared),
        deduped: None,
    })
}

fn slices_of(
    tx: &WriteTx<'_>,
    new: &insert::New<'_>,
    hash: &str,
    slices: &[Text],
) -> Result<RememberedGroup> {
    let group = tx.mint();
    let mut ids = Vec::with_capacity(slices.len());
    for (index, slice) in slices.iter().enumerate() {
        let id = MemoryId::new(tx.mint());
        let slot = Slot::Slice { group: &group, hash, index, count: slices.len() };
        insert::row(tx, new, slice, (&id, slot))?;
        ids.push(id);
    }
    // A hint leads to the beginning of the text; on every slice it would bring all of them.
    let hints_written = match ids.first() {
        Some(first) => hints::add(tx, new.scope.agent(), first, &new.prepared.hints)?,
        None => 0,
    };
    Ok(RememberedGroup { group, ids, deduped: false, hints_written, repaired: repaired(new.prepared) })
}

fn repaired(prepared: &Prepared) -> Vec<String> {
    prepared.draft.repaired.iter().map(|field| (*field).to_owned()).collect()
}

/// What [`dedupe::find`] hands to [`known::answer`].
type Repeat = (Found, Option<crate::evidence::memory::MemoryRow>);

#[cfg(test)]
mod tests;

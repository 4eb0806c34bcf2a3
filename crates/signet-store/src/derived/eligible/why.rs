//! Why one row may not come back, for explain.

use rusqlite::OptionalExtension;
use signet_model::recall::{Audience, Filters, Reason};
use signet_model::{AgentScope, safety};

use super::{Owner, predicate};
use crate::{ReadTx, Result};

/// Why the row `id` is not eligible. `None` = it is.
///
/// An id that the reader may not know of, or that does not exist, is [`Reason::NotFound`]: both alike.
pub fn why_not(
    tx: &ReadTx<'_>,
    owners: &[Owner],
    scope: &AgentScope,
    filters: &Filters,
    id: &str,
) -> Result<Option<Reason>> {
    for owner in owners {
        if readable(tx, owner, scope, id)? {
            return first_fault(tx, owner, scope, filters, id);
        }
    }
    Ok(Some(Reason::NotFound))
}

/// Whether the reader may know of the row: its owner, visibility and the credential's restrictions. Of
/// another agent's deleted rows nobody else learns that there were any.
fn readable(tx: &ReadTx<'_>, owner: &Owner, scope: &AgentScope, id: &str) -> Result<bool> {
    const FIND: &str = "SELECT CASE is_deleted WHEN 0 THEN visibility ELSE 'deleted' END, project, who
        FROM memories WHERE agent_id = ?1 AND id = ?2";
    let row = tx
        .prepare(FIND)?
        .query_row((owner.agent.as_str(), id), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
        })
        .optional()?;
    Ok(row.is_some_and(|(visibility, project, who)| {
        let seen = if owner.own { visibility != "archived" } else { visibility == "global" };
        let project = scope.projects().is_none_or(|projects| projects.contains(&project));
        let user = scope.user().is_none_or(|user| who.as_deref() == Some(user));
        seen && project && user
    }))
}

/// The first rule that keeps the row out, in the order in which a person would ask.
fn first_fault(
    tx: &ReadTx<'_>,
    owner: &Owner,
    scope: &AgentScope,
    filters: &Filters,
    id: &str,
) -> Result<Option<Reason>> {
    const STATE: &str = "SELECT is_deleted, superseded_by IS NOT NULL, stale_at IS NOT NULL
        FROM memories WHERE agent_id = ?1 AND id = ?2";
    let (deleted, superseded, stale): (bool, bool, bool) = tx
        .prepare(STATE)?
        .query_row((owner.agent.as_str(), id), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    for (holds, reason) in
        [(deleted, Reason::Tombstoned), (superseded, Reason::Superseded), (stale, Reason::Stale)]
    {
        if holds {
            return Ok(Some(reason));
        }
    }
    if !passes(tx, owner, scope, &unfiltered(filters), id)? || is_hostile(tx, owner, filters.audience, id)? {
        return Ok(Some(Reason::Unsafe));
    }
    for (part, reason) in single_filters(filters) {
        if !passes(tx, owner, scope, &part, id)? {
            return Ok(Some(reason));
        }
    }
    Ok(None)
}

/// Whether the row passes the predicate with these filters.
fn passes(tx: &ReadTx<'_>, owner: &Owner, scope: &AgentScope, filters: &Filters, id: &str) -> Result<bool> {
    let mut predicate = predicate(owner, scope, filters);
    predicate.params.push(id.to_owned().into());
    let sql = format!("SELECT EXISTS (SELECT 1 FROM memories m WHERE {} AND m.id = ?)", predicate.sql);
    Ok(tx.prepare(&sql)?.query_row(rusqlite::params_from_iter(predicate.params), |row| row.get(0))?)
}

fn is_hostile(tx: &ReadTx<'_>, owner: &Owner, audience: Audience, id: &str) -> Result<bool> {
    const CONTENT: &str = "SELECT content FROM memories WHERE agent_id = ?1 AND id = ?2";
    let content: String = tx.prepare(CONTENT)?.query_row((owner.agent.as_str(), id), |row| row.get(0))?;
    Ok(!audience.admits(safety::scan(&content).status))
}

/// What holds for every row, whatever is filtered.
fn unfiltered(filters: &Filters) -> Filters {
    Filters { audience: filters.audience, ..Filters::default() }
}

/// Each filter of the request on its own.
fn single_filters(filters: &Filters) -> Vec<(Filters, Reason)> {
    let none = || unfiltered(filters);
    vec![
        (Filters { scope: filters.scope.clone(), ..none() }, Reason::FilteredScope),
        (Filters { project: filters.project.clone(), ..none() }, Reason::FilteredProject),
        (Filters { kind: filters.kind.clone(), ..none() }, Reason::FilteredType),
        (Filters { source_type: filters.source_type.clone(), ..none() }, Reason::FilteredType),
        (Filters { tags: filters.tags.clone(), ..none() }, Reason::FilteredTag),
        (Filters { who: filters.who.clone(), ..none() }, Reason::FilteredWho),
        (Filters { pinned: filters.pinned, ..none() }, Reason::FilteredPinned),
        (Filters { importance_min: filters.importance_min, ..none() }, Reason::FilteredImportance),
        (Filters { since: filters.since, until: filters.until, ..none() }, Reason::FilteredTime),
    ]
}

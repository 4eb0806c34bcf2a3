//! One predicate for "this row may come back": owner, visibility, lifecycle, safety and filters.
//!
//! Every channel uses it inside its own statement, before its best rows are cut, so a filter never hides what exists.

pub mod why;

use rusqlite::types::Value;
use signet_model::recall::{Audience, Filters};
use signet_model::{AgentId, AgentScope, ReadPolicy, safety};

use crate::{ReadTx, Result};

/// Rows of one owner that a reader may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Owning agent.
    pub agent: AgentId,
    /// `agents.no`: the high bits of its row ids.
    pub no: i64,
    /// `agents.next_seq`: how far its row ids reach.
    pub next_seq: i64,
    /// The reader's own rows (private ones included), or another agent's `global` ones.
    pub own: bool,
}

impl Owner {
    /// First and last row id of the owner (both inclusive).
    pub const fn rid_range(&self) -> (i64, i64) {
        (self.no << 40, (self.no << 40) | ((1 << 40) - 1))
    }
}

/// A WHERE fragment over `memories AS m`, with its parameters in order of their `?`.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    /// SQL text, safe to put after `WHERE` or `AND`.
    pub sql: String,
    /// Parameters.
    pub params: Vec<Value>,
}

/// Owners whose rows this reader may see, the reader first. None when the reader's
/// agent is unknown.
pub fn owners(tx: &ReadTx<'_>, scope: &AgentScope) -> Result<Vec<Owner>> {
    const READER: &str = "SELECT no, next_seq, read_policy, policy_group FROM agents WHERE id = ?1";
    const OTHERS: &str = "SELECT id, no, next_seq FROM agents WHERE id <> ?1
        AND (?2 OR read_policy <> 'isolated') AND (?3 IS NULL OR policy_group = ?3)
        ORDER BY no LIMIT 10000";
    let reader = scope.agent().as_str();
    let mut statement = tx.prepare(READER)?;
    let mut rows = statement.query([reader])?;
    let Some(row) = rows.next()? else { return Ok(Vec::new()) };
    let stored = stored_policy(&row.get::<_, String>(2)?, row.get(3)?);
    let own = Owner { agent: scope.agent().clone(), no: row.get(0)?, next_seq: row.get(1)?, own: true };
    let mut owners = vec![own];
    let Some(reach) = reach(&stored, scope.narrowing()) else { return Ok(owners) };
    let mut others = tx.prepare(OTHERS)?;
    let mut rows = others.query((reader, reach.isolated_too, &reach.group))?;
    while let Some(row) = rows.next()? {
        let agent = AgentId::new(row.get::<_, String>(0)?);
        owners.push(Owner { agent, no: row.get(1)?, next_seq: row.get(2)?, own: false });
    }
    Ok(owners)
}

fn stored_policy(word: &str, group: Option<String>) -> ReadPolicy {
    match (word, group) {
        ("shared", _) => ReadPolicy::Shared,
        ("group", Some(group)) if !group.is_empty() => ReadPolicy::Group(group),
        _ => ReadPolicy::Isolated,
    }
}

/// Which other agents a policy reaches.
struct Reach {
    group: Option<String>,
    isolated_too: bool,
}

/// The stored policy, narrowed but never widened; `None` = own rows only.
fn reach(stored: &ReadPolicy, narrowing: Option<&ReadPolicy>) -> Option<Reach> {
    let group = |name: &String, isolated_too| Some(Reach { group: Some(name.clone()), isolated_too });
    match (stored, narrowing) {
        (ReadPolicy::Shared, None | Some(ReadPolicy::Shared)) => {
            Some(Reach { group: None, isolated_too: false })
        }
        (ReadPolicy::Shared, Some(ReadPolicy::Group(name))) if !name.is_empty() => group(name, false),
        (ReadPolicy::Group(name), None) => group(name, true),
        (ReadPolicy::Group(name), Some(ReadPolicy::Shared)) => group(name, false),
        (ReadPolicy::Group(name), Some(ReadPolicy::Group(asked))) if name == asked => group(name, true),
        (ReadPolicy::Isolated, _)
        | (_, Some(ReadPolicy::Isolated))
        | (ReadPolicy::Group(_) | ReadPolicy::Shared, Some(ReadPolicy::Group(_))) => None,
    }
}

/// Live, current, in scope, clean and matching the filters.
///
/// A row whose safety was judged under another policy, or not at all, passes here; the loader of the
/// results scans it.
pub fn predicate(owner: &Owner, scope: &AgentScope, filters: &Filters) -> Predicate {
    let mut parts = Parts::default();
    parts.and("m.agent_id = ?", [text(owner.agent.as_str())]);
    parts.and("m.is_deleted = 0 AND m.superseded_by IS NULL AND m.stale_at IS NULL", []);
    parts.and(if owner.own { "m.visibility <> 'archived'" } else { "m.visibility = 'global'" }, []);
    let passes = match filters.audience {
        Audience::Prompt => "s.context_eligible",
        Audience::Person => "s.status <> 'blocked'",
    };
    parts.and(
        &format!(
            "COALESCE((SELECT {passes} FROM memory_content_safety s
           WHERE s.agent_id = m.agent_id AND s.source_kind = 'memory' AND s.source_id = m.id
             AND s.policy_version = ? AND s.content_hash = m.content_hash), 1) = 1"
        ),
        [text(safety::POLICY)],
    );
    restrictions(&mut parts, scope);
    chosen(&mut parts, filters);
    Predicate { sql: parts.sql, params: parts.params }
}

/// What the credential restricts.
pub(crate) fn restrictions(parts: &mut Parts, scope: &AgentScope) {
    if let Some(projects) = scope.projects() {
        let marks = vec!["?"; projects.len()].join(", ");
        parts.and(&format!("m.project IN ({marks})"), projects.iter().map(|project| text(project)));
    }
    if let Some(user) = scope.user() {
        parts.and("m.who = ?", [text(user)]);
    }
}

/// What the request asks for.
pub(crate) fn chosen(parts: &mut Parts, filters: &Filters) {
    for (sql, value) in [
        ("m.project = ?", &filters.project),
        ("m.type = ?", &filters.kind),
        ("m.who = ?", &filters.who),
        ("m.scope = ?", &filters.scope),
        ("m.source_type = ?", &filters.source_type),
    ] {
        if let Some(value) = value {
            parts.and(sql, [text(value)]);
        }
    }
    for tag in &filters.tags {
        parts.and(
            "EXISTS (SELECT 1 FROM memory_tags t
              WHERE t.agent_id = m.agent_id AND t.tag = ? AND t.memory_id = m.id)",
            [text(tag)],
        );
    }
    if let Some(pinned) = filters.pinned {
        parts.and("m.pinned = ?", [Value::Integer(i64::from(pinned))]);
    }
    if let Some(least) = filters.importance_min {
        parts.and("m.importance >= ?", [Value::Real(least)]);
    }
    if let Some(since) = filters.since {
        parts.and("m.created_at >= ?", [text(&since.to_string())]);
    }
    if let Some(until) = filters.until {
        parts.and("m.created_at < ?", [text(&until.to_string())]);
    }
}

/// A condition that grows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub(crate) sql: String,
    pub(crate) params: Vec<Value>,
}

impl Parts {
    pub(crate) fn and(&mut self, sql: &str, params: impl IntoIterator<Item = Value>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        self.sql.push_str(sql);
        self.params.extend(params);
    }
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

#[cfg(test)]
mod tests;

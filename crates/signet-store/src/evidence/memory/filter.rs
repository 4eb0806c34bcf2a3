//! Which rows a list, a count or a batch means.
//!
//! Unlike recall, a list also shows rows that may not enter a prompt: a person has to see them.

use rusqlite::types::Value;
use signet_model::recall::Filters;
use signet_model::{AgentScope, Timestamp};

use crate::derived::eligible::{Owner, Parts, chosen, restrictions};

/// Which states of a row are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Neither forgotten, replaced nor archived.
    Listed,
    /// Not forgotten.
    Live,
    /// Forgotten.
    Bin,
}

/// In which order rows come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Newest first.
    Created,
    /// Last changed first.
    Updated,
    /// Most important first.
    Importance,
    /// Most often recalled first.
    Used,
    /// Longest due for review first.
    Due,
}

impl Order {
    /// The ORDER BY terms; the id makes the order total.
    pub(super) const fn sql(self) -> &'static str {
        match self {
            Self::Created => "m.created_at DESC, m.id DESC",
            Self::Updated => "m.updated_at DESC, m.id DESC",
            Self::Importance => "m.importance DESC, m.created_at DESC, m.id DESC",
            Self::Used => "m.access_count DESC, m.created_at DESC, m.id DESC",
            Self::Due => "m.review_after, m.id",
        }
    }
}

/// A condition over `memories AS m` for one owner.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) params: Vec<Value>,
}

impl Condition {
    /// Rows of the scope's own agent.
    pub(super) fn own(scope: &AgentScope, filters: &Filters, shown: Shown) -> Self {
        let own = Owner { agent: scope.agent().clone(), no: 0, next_seq: 0, own: true };
        Self::of(&own, scope, filters, shown)
    }

    /// Rows of an owner that the reader may see; of another agent only its `global` ones.
    pub(super) fn of(owner: &Owner, scope: &AgentScope, filters: &Filters, shown: Shown) -> Self {
        let mut parts = Parts::default();
        parts.and("m.agent_id = ?", [Value::Text(owner.agent.as_str().to_owned())]);
        parts.and(
            match shown {
                Shown::Listed => {
                    "m.is_deleted = 0 AND m.superseded_by IS NULL AND m.visibility <> 'archived'"
                }
                Shown::Live => "m.is_deleted = 0",
                Shown::Bin => "m.is_deleted = 1",
            },
            [],
        );
        if !owner.own {
            parts.and("m.visibility = 'global'", []);
        }
        restrictions(&mut parts, scope);
        chosen(&mut parts, filters);
        Self { sql: parts.sql, params: parts.params }
    }

    /// Only rows whose text holds `part`, in any case of ASCII letters.
    pub(super) fn holding(mut self, part: Option<&str>) -> Self {
        if let Some(part) = part {
            let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            self.sql.push_str(" AND m.content LIKE ? ESCAPE '\\'");
            self.params.push(Value::Text(format!("%{escaped}%")));
        }
        self
    }

    /// Only rows whose id begins with `prefix`.
    pub(super) fn starting(mut self, prefix: Option<&str>) -> Self {
        if let Some(prefix) = prefix {
            // Ids are ASCII, so this is past every id with the prefix.
            self.sql.push_str(" AND m.id >= ? AND m.id < ?");
            self.params.extend([Value::Text(prefix.to_owned()), Value::Text(format!("{prefix}\u{7f}"))]);
        }
        self
    }

    /// Only rows forgotten at or after `since`.
    pub(super) fn deleted_since(mut self, since: Timestamp) -> Self {
        self.sql.push_str(" AND m.deleted_at >= ?");
        self.params.push(Value::Text(since.to_string()));
        self
    }

    /// Only rows whose review is due.
    pub(super) fn due(mut self, now: Timestamp) -> Self {
        self.sql.push_str(" AND m.review_after IS NOT NULL AND m.review_after <= ?");
        self.params.push(Value::Text(now.to_string()));
        self
    }

    /// Only rows that were recalled.
    pub(super) fn used(mut self) -> Self {
        self.sql.push_str(" AND m.access_count > 0");
        self
    }
}

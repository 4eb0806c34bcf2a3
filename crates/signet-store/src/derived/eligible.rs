//! One predicate for "this row may come back": owner, visibility, lifecycle, safety and filters.
//!
//! Every channel uses it inside its own statement, before its best rows are cut (D17).

use rusqlite::types::Value;
use signet_model::recall::Filters;
use signet_model::{AgentId, AgentScope};

use crate::{ReadTx, Result};

/// Rows of one owner that a reader may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Owning agent.
    pub agent: AgentId,
    /// `agents.no`: the high bits of its row ids.
    pub no: i64,
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

/// Owners whose rows this reader may see, the reader first (recall.md §2).
pub fn owners(_tx: &ReadTx<'_>, _scope: &AgentScope) -> Result<Vec<Owner>> {
    todo!("recall slice")
}

/// Live, current, in scope, clean and matching the filters.
pub fn predicate(_owner: &Owner, _scope: &AgentScope, _filters: &Filters) -> Predicate {
    todo!("recall slice")
}

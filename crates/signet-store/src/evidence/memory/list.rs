//! Lists of memories: newest, most used, due for review, forgotten.

use std::cmp::Ordering;

use rusqlite::params_from_iter;
use rusqlite::types::Value;
use signet_model::memory::forget::RETENTION_DAYS;
use signet_model::memory::outcome::ContentSafety;
use signet_model::recall::Filters;
use signet_model::{AgentScope, MemoryId, Timestamp};

use crate::derived::eligible::owners;
use crate::evidence::memory::filter::{Condition, Order, Shown};
use crate::evidence::memory::row::{COLUMNS, MemoryRow, read};
use crate::evidence::memory::safety;
use crate::{ReadTx, Result};

/// What to list.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Filters.
    pub filters: Filters,
    /// Part of the text.
    pub holding: Option<String>,
    /// Beginning of the id.
    pub id_prefix: Option<String>,
    /// Rows in use, or the bin.
    pub shown: Shown,
    /// Order.
    pub order: Order,
    /// Rows of a page.
    pub limit: usize,
    /// Rows before the page.
    pub offset: usize,
}

/// A listed row with its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Row.
    pub row: MemoryRow,
    /// Verdict; `None` before the first scan.
    pub safety: Option<ContentSafety>,
}

/// A page and whether there is more.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Rows.
    pub rows: Vec<Listed>,
    /// More rows follow.
    pub more: bool,
}

/// A page over every owner that the reader may see; the bin only of the agent itself.
pub fn list(tx: &ReadTx<'_>, scope: &AgentScope, query: &Query, now: Timestamp) -> Result<Page> {
    let mut conditions = Vec::new();
    if query.shown == Shown::Bin {
        let since = now.plus_millis(-RETENTION_DAYS * 86_400_000);
        conditions.push(Condition::own(scope, &query.filters, Shown::Bin).deleted_since(since));
    } else {
        for owner in owners(tx, scope)? {
            conditions.push(Condition::of(&owner, scope, &query.filters, query.shown));
        }
    }
    let narrowed = |condition: Condition| {
        condition.holding(query.holding.as_deref()).starting(query.id_prefix.as_deref())
    };
    let conditions: Vec<_> = conditions.into_iter().map(narrowed).collect();
    gather(tx, &conditions, query.order, (query.limit, query.offset))
}

/// The rows that were recalled most often, of the agent itself.
pub fn most_used(tx: &ReadTx<'_>, scope: &AgentScope, limit: usize) -> Result<Page> {
    let condition = Condition::own(scope, &Filters::default(), Shown::Listed).used();
    gather(tx, &[condition], Order::Used, (limit, 0))
}

/// Rows whose review is due, of the agent itself, oldest first.
pub fn review_queue(tx: &ReadTx<'_>, scope: &AgentScope, limit: usize, now: Timestamp) -> Result<Page> {
    let condition = Condition::own(scope, &Filters::default(), Shown::Listed).due(now);
    gather(tx, &[condition], Order::Due, (limit, 0))
}

fn gather(
    tx: &ReadTx<'_>,
    conditions: &[Condition],
    order: Order,
    (limit, offset): (usize, usize),
) -> Result<Page> {
    let mut rows = Vec::new();
    // One owner pages in SQL; of several each may hold the whole page.
    let alone = conditions.len() == 1;
    let (take, skip) = if alone { (limit + 1, offset) } else { (offset + limit + 1, 0) };
    for condition in conditions {
        rows.extend(page(tx, condition, order, (take, skip))?);
    }
    if !alone {
        rows.sort_by(|a, b| compare(a, b, order));
        rows = rows.into_iter().skip(offset).collect();
    }
    let more = rows.len() > limit;
    rows.truncate(limit);
    let rows = rows
        .into_iter()
        .map(|row| Ok(Listed { safety: safety::find(tx, &row.agent, &row.id)?, row }))
        .collect::<Result<_>>()?;
    Ok(Page { rows, more })
}

/// The order of [`Order::sql`] over rows of several owners.
fn compare(a: &MemoryRow, b: &MemoryRow, order: Order) -> Ordering {
    let newest = || b.created_at.cmp(&a.created_at).then_with(|| b.id.cmp(&a.id));
    match order {
        Order::Created => newest(),
        Order::Updated => b.updated_at.cmp(&a.updated_at).then_with(|| b.id.cmp(&a.id)),
        Order::Importance => b.importance.total_cmp(&a.importance).then_with(newest),
        Order::Used => b.access_count.cmp(&a.access_count).then_with(newest),
        Order::Due => a.review_after.cmp(&b.review_after).then_with(|| a.id.cmp(&b.id)),
    }
}

/// Rows of one owner.
pub(super) fn page(
    tx: &ReadTx<'_>,
    condition: &Condition,
    order: Order,
    (limit, offset): (usize, usize),
) -> Result<Vec<MemoryRow>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM memories AS m WHERE {} ORDER BY {} LIMIT ? OFFSET ?",
        condition.sql,
        order.sql()
    );
    let number = |n: usize| Value::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    let bound = condition.params.iter().cloned().chain([number(limit), number(offset)]);
    let mut statement = tx.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(bound))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// One row of one owner, if it meets the condition.
pub(super) fn by_id(tx: &ReadTx<'_>, condition: &Condition, id: &MemoryId) -> Result<Option<MemoryRow>> {
    let sql = format!("SELECT {COLUMNS} FROM memories AS m WHERE {} AND m.id = ?", condition.sql);
    let bound = condition.params.iter().cloned().chain([Value::Text(id.as_str().to_owned())]);
    let mut statement = tx.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(bound))?;
    rows.next()?.map(read).transpose()
}

#[cfg(test)]
mod tests;

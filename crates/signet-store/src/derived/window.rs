//! Exact cosine over eligible rows, newest first: the tier that needs no index, and the
//! scan that answers when a filter leaves few rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rusqlite::params_from_iter;
use rusqlite::types::Value;

use crate::derived::cosine::QueryVector;
use crate::derived::eligible::{Owner, Predicate};
use crate::{ReadTx, Result};

/// A memory and its cosine with the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// `memories.rid`.
    pub rid: i64,
    /// -1 to 1, exact on f32.
    pub cosine: f32,
}

impl Eq for Hit {}

impl Ord for Hit {
    /// Nearer first; equal cosines by the newer row.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.cosine.total_cmp(&other.cosine).then(self.rid.cmp(&other.rid))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The best `k` of what is pushed.
#[derive(Debug)]
pub(crate) struct Best {
    k: usize,
    heap: BinaryHeap<Reverse<Hit>>,
}

impl Best {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::with_capacity(k + 1) }
    }

    pub(crate) fn push(&mut self, hit: Hit) {
        if self.heap.len() == self.k && self.heap.peek().is_some_and(|worst| worst.0 > hit) {
            return;
        }
        self.heap.push(Reverse(hit));
        if self.heap.len() > self.k {
            self.heap.pop();
        }
    }

    /// Whether `k` are there and all of them are nearer than `cosine`.
    pub(crate) fn is_beyond(&self, cosine: f32) -> bool {
        self.heap.len() == self.k && self.heap.peek().is_some_and(|worst| worst.0.cosine > cosine)
    }

    /// Nearest first.
    pub(crate) fn into_hits(self) -> Vec<Hit> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(hit)| hit).collect()
    }
}

/// What one scan looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub(crate) owner: &'a Owner,
    pub(crate) predicate: &'a Predicate,
    pub(crate) profile_id: i64,
    pub(crate) query: &'a QueryVector,
    pub(crate) k: usize,
}

/// What a scan found.
#[derive(Debug)]
pub(crate) struct Scanned {
    pub(crate) hits: Vec<Hit>,
    /// There are eligible rows beyond `most`, which were not looked at.
    pub(crate) more: bool,
    /// Rows whose vector cannot be scored.
    pub(crate) unsound: usize,
}

// CROSS JOIN keeps the order of the tables: newest memories first, so that the scan can stop early.
const ELIGIBLE: &str = "SELECT m.rid, e.vector FROM memories m CROSS JOIN embeddings e
    ON e.agent_id = m.agent_id AND e.source_type = 'memory' AND e.source_id = m.id AND e.part = 0 AND e.profile_id = ?
  WHERE m.agent_id = ? AND m.rid BETWEEN ? AND ? AND ";

/// Scores the newest `most` eligible rows of the owner.
pub(crate) fn scan(tx: &ReadTx<'_>, scan: Scan<'_>, most: usize) -> Result<Scanned> {
    let (first, last) = scan.owner.rid_range();
    let sql = format!("{ELIGIBLE}({}) ORDER BY m.rid DESC", scan.predicate.sql);
    let own = [
        scan.profile_id.into(),
        Value::Text(scan.owner.agent.as_str().to_owned()),
        first.into(),
        last.into(),
    ];
    let mut statement = tx.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(own.iter().chain(&scan.predicate.params)))?;
    let (mut best, mut scored, mut unsound) = (Best::new(scan.k), 0, 0);
    while let Some(row) = rows.next()? {
        let Some(cosine) = row.get_ref(1)?.as_blob().ok().and_then(|blob| scan.query.cosine(blob)) else {
            unsound += 1;
            continue;
        };
        if scored == most {
            // The sentinel: one more eligible row than may be looked at.
            return Ok(Scanned { hits: best.into_hits(), more: true, unsound });
        }
        scored += 1;
        best.push(Hit { rid: row.get(0)?, cosine });
    }
    Ok(Scanned { hits: best.into_hits(), more: false, unsound })
}

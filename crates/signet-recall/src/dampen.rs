//! Damping: rows that only look alike weigh less, rows that settle something weigh more.

mod dated;
mod scripts;

use crate::item::Item;
use crate::settings::Switch;

/// Share of the value that the cosine replaces.
const COSINE_SHARE: f64 = 0.3;
/// A row whose only evidence is its vector keeps at least this.
const GRAVITY_FLOOR: f64 = 0.3;
/// What gravity leaves of the value above the floor.
const GRAVITY: f64 = 0.5;
/// Lift of a constraint or decision.
const SETTLES: f64 = 1.2;
/// Lift of a statement with a date.
const DATED: f64 = 1.1;
/// A dated statement has at least this many characters.
const STATEMENT: usize = 50;

/// Takes the exact cosine into the absolute value of every row that has a vector. The order has the
/// cosine as a feature already.
pub(crate) fn rerank(items: &mut [Item]) {
    for item in items {
        if let Some(cosine) = item.row.cosine {
            let before = item.value;
            item.value = reranked(item.value, cosine);
            item.note("rerank", before);
        }
    }
}

fn reranked(value: f64, cosine: f64) -> f64 {
    (1.0 - COSINE_SHARE) * value + COSINE_SHARE * cosine.max(0.0)
}

/// Which dampings run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dampings {
    /// Rows alike in meaning only.
    pub(crate) gravity: Switch,
    /// Rows that settle something.
    pub(crate) resolution: Switch,
}

/// Applies the dampings to every candidate.
pub(crate) fn dampen(items: &mut [Item], dampings: Dampings, query: &str) {
    let asked = scripts::of(query);
    for item in items {
        if dampings.gravity == Switch::On && item.value > GRAVITY_FLOOR && only_alike(item, asked) {
            let factor = gravity(item.value) / item.value;
            item.lift("gravity", factor);
        }
        if dampings.resolution == Switch::On {
            let memory = &item.row.memory;
            let factor = resolution(&memory.kind, &memory.content, memory.content_length);
            item.lift("resolution", factor);
        }
    }
}

/// No word and no hint found it, and its text could have held one of the query's words.
fn only_alike(item: &Item, asked: scripts::Scripts) -> bool {
    let wordless = item.evidence.lexical <= 0.0 && item.evidence.hint <= 0.0;
    wordless && asked.meets(scripts::of(&item.row.memory.content))
}

fn gravity(value: f64) -> f64 {
    (GRAVITY * value).max(GRAVITY_FLOOR)
}

fn resolution(kind: &str, content: &str, characters: usize) -> f64 {
    if matches!(kind, "constraint" | "decision") {
        SETTLES
    } else if characters >= STATEMENT && dated::has_date(content) {
        DATED
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) {
        assert!((left - right).abs() < 0.0001, "{left} is not {right}");
    }

    #[test]
    fn rerank_and_gravity_worked_out_by_hand() {
        close(reranked(0.4685, 0.6), 0.5080);
        close(reranked(0.1449, 0.36), 0.2094);
        close(reranked(0.4060, 0.41), 0.4072);
        close(gravity(0.80), 0.40);
        close(gravity(0.50), 0.30);
        close(gravity(0.30), 0.30);
    }

    #[test]
    fn resolution_worked_out_by_hand() {
        close(0.60 * resolution("constraint", "x", 1), 0.72);
        close(0.60 * resolution("fact", "on 2026-03-04", 60), 0.66);
        close(0.60 * resolution("fact", "on 2026-03-04", 49), 0.60);
        close(0.60 * resolution("fact", "no date", 60), 0.60);
    }
}

//! The absolute value: one formula over the channels, with floors and an anchor.

use std::collections::HashMap;

use signet_model::recall::{Dropped, Evidence, Reason};

use crate::explain::drop_note;
use crate::fuse::{HINT_ALONE, cut};
use crate::item::Item;

/// Share of each channel.
pub(crate) const SHARES: [(&str, f64); 3] = [("lexical", 0.25), ("semantic", 0.30), ("hint", 0.30)];
/// A word beside another channel is worth at least this, and a little more by its value.
const WORD_FLOOR: (f64, f64) = (0.4, 0.02);
/// A row that only looks alike is worth at most this.
const ANCHOR: f64 = 0.35;

/// The combined value.
pub(crate) fn shaped(evidence: Evidence) -> f64 {
    let Evidence { lexical, semantic, hint } = evidence;
    let mut value = SHARES[0].1 * lexical + SHARES[1].1 * semantic + SHARES[2].1 * hint;
    if lexical > 0.0 && (semantic > 0.0 || hint > 0.0) {
        value = value.max(WORD_FLOOR.0 + WORD_FLOOR.1 * lexical);
    }
    let alone = lexical <= 0.0 && semantic <= 0.0;
    value = value.max(if alone { hint.min(HINT_ALONE) } else { hint });
    if lexical <= 0.0 && hint <= 0.0 && semantic < ANCHOR {
        value = value.min(ANCHOR);
    }
    value
}

/// Gives every candidate its combined value and takes out what is weak then.
pub(crate) fn shape(items: &mut Vec<Item>, min_score: f64) -> Vec<Dropped> {
    for item in items.iter_mut() {
        let before = item.value;
        item.value = shaped(item.evidence);
        item.note("shape", before);
    }
    cut(items, |item| item.value < min_score && !item.is_direct(), Reason::BelowMinScore)
}

/// Of equal texts the best stays: higher value, then newer, then the smaller id.
pub(crate) fn equal_texts(items: &mut Vec<Item>) -> Vec<Dropped> {
    items.sort_by(|a, b| {
        (b.value.total_cmp(&a.value))
            .then(b.row.memory.created_at.cmp(&a.row.memory.created_at))
            .then(a.row.memory.id.cmp(&b.row.memory.id))
    });
    let mut best: HashMap<String, String> = HashMap::new();
    let mut dropped = Vec::new();
    items.retain(|item| {
        if item.row.normalized.is_empty() {
            return true;
        }
        let id = item.row.memory.id.to_string();
        let kept = best.entry(item.row.normalized.clone()).or_insert_with(|| id.clone());
        if *kept != id {
            let mut note = drop_note(item, Reason::DuplicateText);
            note.detail = Some(format!("same text as {kept}"));
            dropped.push(note);
            return false;
        }
        true
    });
    dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shaped_values_worked_out_by_hand() {
        for (lexical, semantic, hint, expected) in [
            (0.5, 0.4, 0.0, 0.4100),
            (0.5, 0.0, 0.0, 0.1250),
            (1.0, 0.0, 0.0, 0.2500),
            (0.0, 0.8, 0.0, 0.2400),
            (0.0, 0.0, 0.6, 0.6000),
            (0.0, 0.0, 0.92, 0.7500),
            (0.9, 0.9, 0.5, 0.6450),
        ] {
            let value = shaped(Evidence { lexical, semantic, hint });
            assert!((value - expected).abs() < 0.0001, "{value} is not {expected}");
        }
    }
}

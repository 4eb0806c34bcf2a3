//! Base value: vector and text in one number, a hint beside them.

use signet_model::recall::{Dropped, Evidence, Origin, Reason};

use crate::explain::drop_note;
use crate::item::Item;

/// A hint alone is worth at most this.
pub(crate) const HINT_ALONE: f64 = 0.75;

/// The base value of what the channels found, and what decided it.
pub(crate) fn base(evidence: Evidence, alpha: f64) -> (f64, Origin) {
    let Evidence { lexical, semantic, hint } = evidence;
    let (base, origin) = match (lexical > 0.0, semantic > 0.0) {
        (true, true) => (alpha * semantic + (1.0 - alpha) * lexical, Origin::Hybrid),
        (false, true) => (semantic, Origin::Vector),
        (_, false) => (lexical, Origin::Keyword),
    };
    if hint > 0.0 && hint >= base {
        let alone = lexical <= 0.0 && semantic <= 0.0;
        return (if alone { hint.min(HINT_ALONE) } else { hint }, Origin::Hint);
    }
    (base, origin)
}

/// Gives every candidate its base value and takes out the weak ones that no word or hint found.
pub(crate) fn fuse(items: &mut Vec<Item>, alpha: f64, min_score: f64) -> Vec<Dropped> {
    for item in items.iter_mut() {
        (item.value, item.origin) = base(item.evidence, alpha);
    }
    cut(items, |item| item.value < min_score && !item.is_direct(), Reason::BelowMinScore)
}

/// Takes out the candidates for which `weak` holds, best first.
pub(crate) fn cut(items: &mut Vec<Item>, weak: impl Fn(&Item) -> bool, reason: Reason) -> Vec<Dropped> {
    let (mut out, kept): (Vec<Item>, Vec<Item>) = std::mem::take(items).into_iter().partition(weak);
    *items = kept;
    out.sort_by(|a, b| b.value.total_cmp(&a.value));
    out.iter().map(|item| drop_note(item, reason)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_values_worked_out_by_hand() {
        for (semantic, lexical, hint, expected, origin) in [
            (0.80, 0.50, 0.0, 0.7100, Origin::Hybrid),
            (0.62, 0.3748, 0.0, 0.54644, Origin::Hybrid),
            (0.0, 0.50, 0.0, 0.50, Origin::Keyword),
            (0.80, 0.0, 0.0, 0.80, Origin::Vector),
            (0.0, 0.0, 0.92, 0.75, Origin::Hint),
            (0.80, 0.50, 0.60, 0.71, Origin::Hybrid),
            (0.80, 0.50, 0.80, 0.80, Origin::Hint),
        ] {
            let (value, decided) = base(Evidence { lexical, semantic, hint }, 0.7);
            assert!((value - expected).abs() < 0.0001, "{value} is not {expected}");
            assert_eq!(decided, origin);
        }
    }
}

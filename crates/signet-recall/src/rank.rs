//! The order: a small linear sum of named features of each candidate, made positive by the logistic.
//!
//! It only orders. The shown score is another number, so that it means the same for every question.

pub mod weights;

mod features;

use signet_model::text::search::Query;

use crate::item::Item;
use features::Question;
use weights::Weights;

/// Gives every candidate its order value.
pub(crate) fn rank(items: &mut [Item], query: &Query, text: &str, weights: &Weights) {
    let question = Question::new(query, text, items);
    for item in items {
        let features = question.features(item);
        let shares = weights.shares(&features);
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        item.order = logistic(sum);
        item.shares = shares;
    }
}

fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// Best order value first; of equals the newer, then the smaller id.
pub(crate) fn sort(items: &mut [Item]) {
    items.sort_by(|a, b| {
        (b.order.total_cmp(&a.order))
            .then(b.row.memory.created_at.cmp(&a.row.memory.created_at))
            .then(a.row.memory.id.cmp(&b.row.memory.id))
    });
}

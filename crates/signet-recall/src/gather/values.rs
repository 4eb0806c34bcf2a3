//! The values of the channels for one row.

use signet_model::recall::Evidence;
use signet_model::text::search::Counter;
use signet_store::derived::candidates::Candidate;

use super::{Ask, View};
use crate::channels::hint;
use crate::channels::lexical::Terms;
use crate::channels::vector::Probe;
use crate::item::Item;
use crate::plan::TextChannels;

/// Computes the channels' values of one owner's rows.
pub(super) struct Values<'a> {
    view: &'a View,
    content: Counter,
    hints: Counter,
    text: TextChannels,
    noise_floor: Option<f64>,
}

impl<'a> Values<'a> {
    /// For the rows of one owner.
    pub(super) fn new(ask: Ask<'_>, view: &'a View, probe: Option<&Probe>) -> Self {
        let counter = |terms: &Terms| Counter::new(terms.tokens.iter().map(|t| t.stem.clone()).collect());
        Self {
            view,
            content: counter(&view.content),
            hints: counter(&view.hints),
            text: ask.plan.text,
            noise_floor: probe.map(|probe| probe.noise_floor),
        }
    }

    /// A row with its values, whichever channel found it.
    pub(super) fn of(&self, row: Candidate) -> Item {
        let mut item = Item::new(row);
        let (counts, length) = self.content.count(item.row.indexed());
        item.length = length;
        item.counts = counts;
        item.idf.clone_from(&self.view.content.idf);
        let semantic = match (item.row.cosine, self.noise_floor) {
            (Some(cosine), Some(floor)) if cosine >= floor => cosine.min(1.0),
            _ => 0.0,
        };
        item.evidence = match self.text {
            TextChannels::Wanted => Evidence {
                lexical: self.view.content.value(&item.counts, length),
                hint: hint::value(&self.view.hints, &self.hints, &item.row.hints),
                semantic,
            },
            TextChannels::Excluded => Evidence { semantic, ..Evidence::default() },
        };
        item
    }
}

//! A candidate on its way through the stages.

use signet_model::recall::{Evidence, Origin};
use signet_store::derived::candidates::Candidate;

/// A candidate with its values.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The row.
    pub(crate) row: Candidate,
    /// Values of the channels.
    pub(crate) evidence: Evidence,
    /// How often each of the query's terms stands in the row.
    pub(crate) counts: Vec<u32>,
    /// Weight of each of the query's terms in the owner's rows.
    pub(crate) idf: Vec<f64>,
    /// Words of the row.
    pub(crate) length: usize,
    /// What decided the base value.
    pub(crate) origin: Origin,
    /// Absolute value: decides cuts, is shown.
    pub(crate) value: f64,
    /// Order value: decides the order.
    pub(crate) order: f64,
    /// Share of each feature in the order value.
    pub(crate) shares: Vec<(&'static str, f64)>,
    /// Rules that changed the absolute value: before, after.
    pub(crate) rules: Vec<(&'static str, f64, f64)>,
}

impl Item {
    /// A candidate before any value is known.
    pub(crate) fn new(row: Candidate) -> Self {
        Self {
            row,
            evidence: Evidence::default(),
            counts: Vec::new(),
            idf: Vec::new(),
            length: 0,
            origin: Origin::Keyword,
            value: 0.0,
            order: 0.0,
            shares: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Found by words or hint, or so near that no word is needed.
    pub(crate) fn is_direct(&self) -> bool {
        const NEAR: f64 = 0.35;
        self.evidence.lexical > 0.0 || self.evidence.hint > 0.0 || self.evidence.semantic >= NEAR
    }

    /// Multiplies both values and notes the rule.
    pub(crate) fn lift(&mut self, rule: &'static str, factor: f64) {
        let before = self.value;
        self.value *= factor;
        self.order *= factor;
        self.note(rule, before);
    }

    /// Notes what a rule made of the absolute value, when it changed it.
    pub(crate) fn note(&mut self, rule: &'static str, before: f64) {
        if (self.value - before).abs() > f64::EPSILON {
            self.rules.push((rule, before, self.value));
        }
    }

    /// Channels that found it.
    pub(crate) fn found_in(&self) -> Vec<&'static str> {
        let Evidence { lexical, hint, semantic } = self.evidence;
        [("lexical", lexical), ("hint", hint), ("semantic", semantic)]
            .into_iter()
            .filter(|(_, value)| *value > 0.0)
            .map(|(name, _)| name)
            .collect()
    }
}

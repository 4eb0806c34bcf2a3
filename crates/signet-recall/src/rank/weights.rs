//! The weights of the order, all in one place.
//!
//! Set by hand on the development halves of LoCoMo and BEAM (`docs/benchmarks.md` has the figures).

use super::features::Features;

/// Weight of each feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// BM25 of the query's terms, as a share of the question's best.
    pub lexical: f64,
    /// Cosine, as a share of the question's best.
    pub semantic: f64,
    /// Value of the best hint.
    pub hint: f64,
    /// Share of the query's terms that the row holds, rare ones counting more.
    pub coverage: f64,
    /// The row asks something itself.
    pub asks: f64,
    /// Shortness: a row of few words says little.
    pub short: f64,
    /// Length beyond a hundred words.
    pub long: f64,
    /// The row has the kind of answer that the question word wants.
    pub answers: f64,
    /// The row was said by an assistant.
    pub assistant: f64,
    /// The row holds the question's text letter by letter.
    pub verbatim: f64,
    /// Added to every sum. It keeps the logistic in its steep part, where a factor of a later stage
    /// weighs the same for every row.
    pub bias: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            lexical: 3.0,
            semantic: 3.5,
            hint: 2.0,
            coverage: 0.2,
            asks: -0.5,
            short: -0.8,
            long: -0.6,
            answers: 0.6,
            assistant: -1.2,
            verbatim: 1.0,
            bias: -8.0,
        }
    }
}

impl Weights {
    /// What each feature adds to the sum.
    pub(crate) fn shares(&self, features: &Features) -> Vec<(&'static str, f64)> {
        vec![
            ("lexical", self.lexical * features.lexical),
            ("semantic", self.semantic * features.semantic),
            ("hint", self.hint * features.hint),
            ("coverage", self.coverage * features.coverage),
            ("asks", self.asks * features.asks),
            ("short", self.short * features.short),
            ("long", self.long * features.long),
            ("answers", self.answers * features.answers),
            ("assistant", self.assistant * features.assistant),
            ("verbatim", self.verbatim * features.verbatim),
            ("bias", self.bias),
        ]
    }

    /// The weights by name, for explain.
    pub(crate) fn named(&self) -> Vec<(&'static str, f64)> {
        self.shares(&Features {
            lexical: 1.0,
            semantic: 1.0,
            hint: 1.0,
            coverage: 1.0,
            asks: 1.0,
            short: 1.0,
            long: 1.0,
            answers: 1.0,
            assistant: 1.0,
            verbatim: 1.0,
        })
    }
}

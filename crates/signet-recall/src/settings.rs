//! What a person can set about recall. Plain values; the binary reads them from the configuration.

use std::time::Duration;

use signet_store::derived::nearest::Tier;

use crate::Weights;

/// Settings of recall.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Eligible rows each channel delivers (`search.candidates`).
    pub candidates: usize,
    /// Share of the vector in the base value (`search.alpha`).
    pub alpha: f64,
    /// A weaker row that is no direct match is dropped (`search.min_score`).
    pub min_score: f64,
    /// Lift of rows that are recalled often.
    pub rehearsal: Rehearsal,
    /// Lift of new rows when the question asks for them; 0 switches it off (`search.temporal_prior_*`).
    pub freshness: Prior,
    /// Half the weight of a row whose only evidence is its vector and that shares no word.
    pub gravity: Switch,
    /// Lift of decisions, constraints and dated statements.
    pub resolution: Switch,
    /// The absolute value takes the cosine in (`memory.pipelineV2.reranker.enabled`).
    pub rerank: Switch,
    /// Rows searched when no index can be (`recall.recentWindowRows`).
    pub recent_window_rows: usize,
    /// Which vector tier may answer (`recall.vectorTier`).
    pub vector_tier: Tier,
    /// Longest text of a result, in characters (`recallTruncateChars`).
    pub truncate_chars: usize,
    /// Time for the query's vector.
    pub embed_budget: Duration,
    /// Weights of the order.
    pub weights: Weights,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Runs.
    On,
    /// Does not.
    Off,
}

/// A lift that halves with time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Largest lift; 0 = off.
    pub weight: f64,
    /// Days after which half of it is left.
    pub half_life_days: f64,
}

/// The lift of rows that are recalled often (`search.rehearsal_*`).
pub type Rehearsal = Prior;

impl Default for Settings {
    fn default() -> Self {
        Self {
            candidates: 150,
            alpha: 0.7,
            min_score: 0.1,
            rehearsal: Prior { weight: 0.1, half_life_days: 30.0 },
            freshness: Prior { weight: 0.15, half_life_days: 14.0 },
            gravity: Switch::On,
            resolution: Switch::On,
            rerank: Switch::On,
            recent_window_rows: 10_000,
            vector_tier: Tier::Auto,
            truncate_chars: 500,
            embed_budget: Duration::from_secs(1),
            weights: Weights::default(),
        }
    }
}

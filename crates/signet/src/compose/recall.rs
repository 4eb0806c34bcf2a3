//! Recall's settings from the configuration.

use signet_recall::Settings as Plain;
use signet_recall::settings::{Prior, Switch};
use signet_store::derived::nearest::Tier;

use crate::config::Settings;

/// The settings of recall.
pub(super) fn settings(settings: &Settings) -> Plain {
    let (search, recall) = (&settings.search, &settings.recall);
    let pipeline = &settings.memory.pipeline_v2;
    let prior = |enabled: bool, weight: f64, half_life_days: f64| Prior {
        weight: if enabled { weight } else { 0.0 },
        half_life_days,
    };
    Plain {
        candidates: search.candidates,
        alpha: search.alpha,
        min_score: search.min_score,
        rehearsal: prior(search.rehearsal_enabled, search.rehearsal_weight, search.rehearsal_half_life_days),
        freshness: prior(
            search.temporal_prior_enabled,
            search.temporal_prior_weight,
            search.temporal_prior_half_life_days,
        ),
        gravity: switch(pipeline.dampening.gravity),
        resolution: switch(pipeline.dampening.resolution),
        rerank: switch(pipeline.reranker.enabled),
        recent_window_rows: recall.recent_window_rows,
        vector_tier: tier(&recall.vector_tier),
        truncate_chars: pipeline.guardrails.recall_truncate_chars,
        ..Plain::default()
    }
}

const fn switch(on: bool) -> Switch {
    if on { Switch::On } else { Switch::Off }
}

/// The tier of a checked word. There is no resident tier yet: what asks for it gets the best there is.
fn tier(word: &str) -> Tier {
    match word {
        "sqlite-vec" => Tier::SqliteVec,
        "window" => Tier::Window,
        _ => Tier::Auto,
    }
}

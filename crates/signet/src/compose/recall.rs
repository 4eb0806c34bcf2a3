//! Settings as recall wants them.

use std::time::Duration;

use signet_recall::settings::{Prior, Switch};
use signet_store::derived::nearest::Tier;

use crate::config::Settings;

/// Settings of recall.
pub(super) fn settings(settings: &Settings) -> signet_recall::Settings {
    let (search, pipeline) = (&settings.search, &settings.memory.pipeline_v2);
    signet_recall::Settings {
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
        recent_window_rows: settings.recall.recent_window_rows,
        vector_tier: tier(&settings.recall.vector_tier),
        truncate_chars: pipeline.guardrails.recall_truncate_chars,
        embed_budget: Duration::from_millis(settings.embedding.prompt_submit_timeout_ms),
        weights: signet_recall::Weights::default(),
    }
}

/// A weight of 0 switches a lift off.
fn prior(enabled: bool, weight: f64, half_life_days: f64) -> Prior {
    Prior { weight: if enabled { weight } else { 0.0 }, half_life_days }
}

fn switch(on: bool) -> Switch {
    if on { Switch::On } else { Switch::Off }
}

/// There is no resident tier yet: what asks for it gets the best there is.
fn tier(word: &str) -> Tier {
    match word {
        "sqlite-vec" => Tier::SqliteVec,
        "window" => Tier::Window,
        _ => Tier::Auto,
    }
}

#[cfg(test)]
mod tests {
    use crate::config::load;
    use crate::env::Env;

    fn of(text: &str) -> signet_recall::Settings {
        super::settings(&load::from_text(text.as_bytes(), &Env::default()).settings.unwrap())
    }

    #[test]
    fn the_defaults_of_the_file_are_those_of_recall() {
        assert_eq!(of(""), signet_recall::Settings::default());
    }

    #[test]
    fn a_lift_that_is_off_has_no_weight() {
        let settings = of(
            "search:\n  rehearsal_enabled: false\n  rehearsal_weight: 0.5\nrecall:\n  vectorTier: window\n",
        );
        assert!(settings.rehearsal.weight.abs() < f64::EPSILON);
        assert_eq!(settings.vector_tier, signet_store::derived::nearest::Tier::Window);
    }
}

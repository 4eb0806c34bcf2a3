//! `search` and `recall`: how candidates are found and ordered.

use super::super::key::{Key, Kind, key};

const SHARE: Kind = Kind::Number(0.0, 1.0);

/// Keys of the section.
pub(crate) const KEYS: &[Key] = &[
    key("search.alpha", SHARE, "0.7", "Weight of meaning against words."),
    key("search.min_score", SHARE, "0.1", "Least score of a result."),
    key("search.top_k", Kind::Int(1, 200), "20", "Candidates of the hand-set fusion."),
    key("search.candidates", Kind::Int(10, 1000), "150", "Rows that each channel delivers."),
    key("search.rehearsal_enabled", Kind::Flag, "true", "Memories that were used count a little more."),
    key("search.rehearsal_weight", SHARE, "0.1", "How much more."),
    key("search.rehearsal_half_life_days", Kind::Int(1, 3650), "30", "Half-life of a use."),
    key("search.temporal_prior_enabled", Kind::Flag, "true", "Recent memories count a little more."),
    key("search.temporal_prior_weight", SHARE, "0.15", "How much more."),
    key("search.temporal_prior_half_life_days", Kind::Int(1, 3650), "14", "Half-life of recency."),
    key("recall.turns", Kind::Flag, "true", "Turns of conversations are candidates."),
    key("recall.recentWindowRows", Kind::Int(1000, 1_000_000), "10000", "Rows of the fallback window."),
    key("recall.residentIndexMaxMb", Kind::Int(16, 65_536), "1024", "Most memory of the resident vectors."),
    key(
        "recall.vectorTier",
        Kind::Word(&["auto", "resident", "sqlite-vec", "window"]),
        "\"auto\"",
        "Where vectors are searched; auto takes the best that can serve, and so does resident as long as there is no such tier.",
    ),
];

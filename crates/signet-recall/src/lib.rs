//! The one recall: plan, channels, fusion, shaping, ranking, explain.

//! Times of many calls, and what is said about them.

use std::time::{Duration, Instant};

/// Times of repeated calls, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct Times(Vec<f64>);

impl Times {
    /// Runs `work` and keeps how long it took.
    pub(super) fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = work();
        self.0.push(millis(started.elapsed()));
        done
    }

    /// The time that a share of the calls stayed within: 0.5 is the median. Nearest rank; 0 without calls.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

/// A duration in milliseconds.
pub(super) fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_nearest_ranks() {
        let times = Times((1..=20).rev().map(f64::from).collect());
        let ranks = [0.0, 0.5, 0.95, 1.0].map(|share| times.quantile(share) as usize);
        assert_eq!((ranks, Times::default().quantile(0.5) as usize), ([1, 10, 19, 20], 0));
    }

    #[test]
    fn a_call_is_counted_and_its_answer_passed_on() {
        let mut times = Times::default();
        assert_eq!((times.measure(|| 3), times.0.len()), (3, 1));
    }
}

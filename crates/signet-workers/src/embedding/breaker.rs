//! Keeps a provider that is down from being called again and again.

use signet_model::Timestamp;

/// Failures in a row after which no more calls are made.
const FAILURES: u32 = 5;
/// Wait before the first probe; doubled after each probe that fails.
const FIRST_WAIT_MS: i64 = 30_000;
/// Longest wait between probes.
const MOST_WAIT_MS: i64 = 300_000;

/// What the breaker lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// Calls as usual.
    Closed,
    /// One small call, to see whether the provider is back.
    Probe,
    /// None.
    Open,
}

/// Failures in a row, and when the next call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Breaker {
    failures: u32,
    wait_ms: i64,
    probe_at: Option<Timestamp>,
}

impl Breaker {
    /// What may be called now.
    pub(super) fn gate(&self, now: Timestamp) -> Gate {
        match self.probe_at {
            None => Gate::Closed,
            Some(at) if now >= at => Gate::Probe,
            Some(_) => Gate::Open,
        }
    }

    /// The provider answered, be it with a refusal of a text.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }

    /// The provider failed.
    pub(super) fn failed(&mut self, now: Timestamp) {
        self.failures += 1;
        if self.failures >= FAILURES {
            self.wait_ms =
                if self.wait_ms == 0 { FIRST_WAIT_MS } else { (self.wait_ms * 2).min(MOST_WAIT_MS) };
            self.probe_at = Some(now.plus_millis(self.wait_ms));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_after_five_failures_and_probes_at_growing_intervals() {
        let mut now = Timestamp::from_millis(0);
        let mut breaker = Breaker::default();
        for _ in 0..4 {
            breaker.failed(now);
            assert_eq!(breaker.gate(now), Gate::Closed);
        }
        breaker.answered();
        for _ in 0..5 {
            assert_eq!(breaker.gate(now), Gate::Closed);
            breaker.failed(now);
        }
        for wait in [30_000, 60_000, 120_000, 240_000, 300_000, 300_000] {
            assert_eq!(breaker.gate(now.plus_millis(wait - 1)), Gate::Open);
            now = now.plus_millis(wait);
            assert_eq!(breaker.gate(now), Gate::Probe);
            breaker.failed(now);
        }
        breaker.answered();
        assert_eq!(breaker.gate(now), Gate::Closed);
    }
}

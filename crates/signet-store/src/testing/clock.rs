//! Time and randomness that a test holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use signet_model::{Clock, Ids, Timestamp};

/// A clock that stands still until the test moves it. Clones show the same time.
#[derive(Debug, Clone)]
pub struct TestClock {
    millis: Arc<AtomicI64>,
}

impl TestClock {
    /// A clock at 2026-03-04T14:25:00.000Z.
    pub fn new() -> Self {
        Self { millis: Arc::new(AtomicI64::new(1_772_634_300_000)) }
    }

    /// Moves the clock forward.
    pub fn advance(&self, millis: i64) {
        self.millis.fetch_add(millis, Ordering::SeqCst);
    }

    /// Moves the clock forward by whole days.
    pub fn advance_days(&self, days: i64) {
        self.advance(days * 86_400_000);
    }

    /// Puts the clock to an instant.
    pub fn set(&self, at: Timestamp) {
        self.millis.store(at.millis(), Ordering::SeqCst);
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::SeqCst))
    }
}

/// Ids of this clock; equal seeds mint equal ids in equal order.
pub fn seeded_ids(clock: &TestClock, seed: u64) -> Ids {
    let count = AtomicU64::new(seed.wrapping_mul(0x1_0000_0000));
    let random = move |bytes: &mut [u8]| {
        for chunk in bytes.chunks_mut(8) {
            let word = splitmix(count.fetch_add(1, Ordering::SeqCst)).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    };
    Ids::new(Arc::new(clock.clone()), Arc::new(random))
}

/// `SplitMix64` (Steele, Lea, Flood 2014) of a counter: well mixed and reproducible.
fn splitmix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

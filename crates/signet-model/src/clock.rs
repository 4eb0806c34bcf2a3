//! Time and randomness as capabilities, so that tests can hold both.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Timestamp;

/// Where "now" comes from.
pub trait Clock: Send + Sync + 'static {
    /// The present instant, in milliseconds.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Fills a buffer with random bytes.
pub type FillRandom = dyn Fn(&mut [u8]) + Send + Sync;

/// Mints UUIDv7 ids from a clock and a source of random bytes.
///
/// Ids of one source ascend, also within a millisecond, so that they order what happened: the 12 bits
/// after the time are a counter (RFC 9562, method 1).
#[derive(Clone)]
pub struct Ids {
    clock: Arc<dyn Clock>,
    random: Arc<FillRandom>,
    /// Milliseconds and counter of the last id, in 52 and 12 bits.
    last: Arc<AtomicU64>,
}

impl std::fmt::Debug for Ids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ids")
    }
}

impl Ids {
    /// Ids from this clock and this randomness.
    pub fn new(clock: Arc<dyn Clock>, random: Arc<FillRandom>) -> Self {
        Self { clock, random, last: Arc::default() }
    }

    /// The present instant of the clock behind the ids.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new UUIDv7 as lower-case text.
    pub fn mint(&self) -> String {
        let mut random = [0_u8; 10];
        (self.random)(&mut random);
        let now = u64::try_from(self.clock.now().millis()).unwrap_or(0) << 12;
        let after = |last: u64| (last + 1).max(now);
        let last = self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last)));
        let stamp = after(last.unwrap_or(now));
        random[0] = (stamp >> 8 & 0x0f) as u8;
        random[1] = (stamp & 0xff) as u8;
        uuid::Builder::from_unix_timestamp_millis(stamp >> 12, &random).into_uuid().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_within_a_millisecond_and_past_its_counter() {
        #[derive(Debug)]
        struct Still;
        impl Clock for Still {
            fn now(&self) -> Timestamp {
                Timestamp::from_millis(1_772_634_300_000)
            }
        }
        let ids = Ids::new(Arc::new(Still), Arc::new(|bytes: &mut [u8]| bytes.fill(0xff)));
        let minted: Vec<String> = (0..5000).map(|_| ids.mint()).collect();
        assert_eq!(minted[0], "019cb93c-de60-7000-bfff-ffffffffffff");
        assert!(minted.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

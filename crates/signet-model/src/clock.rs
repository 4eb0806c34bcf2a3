//! Time and randomness as capabilities, so that tests can hold both.

use std::sync::Arc;

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
#[derive(Clone)]
pub struct Ids {
    clock: Arc<dyn Clock>,
    random: Arc<FillRandom>,
}

impl std::fmt::Debug for Ids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ids")
    }
}

impl Ids {
    /// Ids from this clock and this randomness.
    pub fn new(clock: Arc<dyn Clock>, random: Arc<FillRandom>) -> Self {
        Self { clock, random }
    }

    /// The present instant of the clock behind the ids.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new UUIDv7 as lower-case text.
    pub fn mint(&self) -> String {
        let mut random = [0_u8; 10];
        (self.random)(&mut random);
        let millis = u64::try_from(self.clock.now().millis()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
    }
}

//! Fixed windows per subject and class, by the daemon's clock.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use signet_model::{Code, Detail, Error, Timestamp};

use crate::config::Window;
use crate::route::Rate;

const MINUTE: i64 = 60_000;
/// Windows held; when full, those that are over go.
const HELD_MAX: usize = 10_000;

/// The counters of all windows.
#[derive(Debug, Default)]
pub struct Windows {
    counts: Mutex<HashMap<(String, Rate), Count>>,
}

/// Who calls what, in whose window.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    /// Credential, or peer address.
    pub subject: &'a str,
    /// Windows that differ from [`window`].
    pub overrides: &'a HashMap<Rate, Window>,
    /// Now.
    pub now: Timestamp,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    start: Timestamp,
    calls: u32,
}

/// The window of a class; `None` = not limited.
pub const fn window(rate: Rate) -> Option<Window> {
    let max = match rate {
        Rate::None => return None,
        Rate::Forget | Rate::Recover => 30,
        Rate::Modify | Rate::FailedCredential => 60,
        Rate::BatchForget => 5,
        Rate::ForceDelete => 3,
        Rate::Admin | Rate::Handoff => 10,
    };
    Some(Window { window_ms: MINUTE, max })
}

impl Windows {
    /// Counts one call. Over the limit: 429 with the instant the window ends. A refused
    /// call is not counted.
    pub fn count(&self, caller: Caller<'_>, rate: Rate) -> Result<u32, Error> {
        let Caller { subject, overrides, now } = caller;
        let Some(window) = overrides.get(&rate).copied().or_else(|| window(rate)) else { return Ok(0) };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= HELD_MAX {
            counts.retain(|_, count| now.millis() - count.start.millis() < MINUTE.max(window.window_ms));
        }
        let count = counts.entry((subject.to_owned(), rate)).or_insert(Count { start: now, calls: 0 });
        if now.millis() - count.start.millis() >= window.window_ms {
            *count = Count { start: now, calls: 0 };
        }
        if count.calls >= window.max {
            return Err(limited(count.start.plus_millis(window.window_ms), now));
        }
        count.calls += 1;
        Ok(count.calls)
    }
}

fn limited(ends: Timestamp, now: Timestamp) -> Error {
    let seconds = (ends.millis() - now.millis() + 999).div_euclid(1000).max(1);
    Error::new(Code::RateLimited, "rate limit exceeded")
        .hint(format!("try again in {seconds} s"))
        .with("retryAfter", Detail::Number(ends.millis()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(windows: &Windows, subject: &str, rate: Rate, millis: i64) -> Result<u32, Error> {
        let now = Timestamp::from_millis(millis);
        windows.count(Caller { subject, overrides: &HashMap::new(), now }, rate)
    }

    #[test]
    fn the_window_holds_its_number_and_begins_anew() {
        let windows = Windows::default();
        for n in 1..=5 {
            assert_eq!(count(&windows, "a", Rate::BatchForget, n), Ok(u32::try_from(n).expect("small")));
        }
        let error = count(&windows, "a", Rate::BatchForget, 30_000).expect_err("over");
        assert_eq!((error.code, error.message.as_str()), (Code::RateLimited, "rate limit exceeded"));
        assert_eq!(error.details, [("retryAfter", Detail::Number(60_001))]);
        assert!(count(&windows, "b", Rate::BatchForget, 30_000).is_ok(), "another subject");
        assert!(count(&windows, "a", Rate::Forget, 30_000).is_ok(), "another class");
        assert!(count(&windows, "a", Rate::BatchForget, 60_001).is_ok(), "the next window");
    }

    #[test]
    fn an_override_replaces_the_table() {
        let overrides = HashMap::from([(Rate::Admin, Window { window_ms: 10, max: 1 })]);
        let windows = Windows::default();
        let count = |millis| {
            let now = Timestamp::from_millis(millis);
            windows.count(Caller { subject: "a", overrides: &overrides, now }, Rate::Admin)
        };
        assert!(count(0).is_ok());
        assert!(count(9).is_err());
        assert!(count(10).is_ok());
    }

    #[test]
    fn unlimited_calls_are_never_counted() {
        let windows = Windows::default();
        assert!((0..1000).all(|n| count(&windows, "a", Rate::None, n) == Ok(0)));
    }
}

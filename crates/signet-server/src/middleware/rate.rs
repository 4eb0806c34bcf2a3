//! Fixed windows per subject and class (auth.md §7), by the daemon's clock.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use signet_model::{Code, Detail, Error, Timestamp};

use crate::config::Window;
use crate::route::Rate;

const MINUTE: i64 = 60_000;
/// Windows held; when full, those that are over go.
const HELD_MAX: usize = 10_000;

/// The counters of all windows.
#[derive(Debug)]
pub struct Windows {
    overrides: HashMap<Rate, Window>,
    counts: Mutex<HashMap<(String, Rate), Count>>,
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
    /// Empty windows with these overrides of [`window`].
    pub fn new(overrides: &HashMap<Rate, Window>) -> Self {
        Self { overrides: overrides.clone(), counts: Mutex::default() }
    }

    /// Counts one call of `subject`. Over the limit: 429 with the instant the window ends. A refused
    /// call is not counted.
    pub fn count(&self, subject: &str, rate: Rate, now: Timestamp) -> Result<u32, Error> {
        let Some(window) = self.overrides.get(&rate).copied().or_else(|| window(rate)) else { return Ok(0) };
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

    #[test]
    fn the_window_holds_its_number_and_begins_anew() {
        let windows = Windows::new(&HashMap::new());
        let at = Timestamp::from_millis;
        for n in 1..=5 {
            assert_eq!(windows.count("a", Rate::BatchForget, at(n)), Ok(u32::try_from(n).expect("small")));
        }
        let error = windows.count("a", Rate::BatchForget, at(30_000)).expect_err("over");
        assert_eq!((error.code, error.message.as_str()), (Code::RateLimited, "rate limit exceeded"));
        assert_eq!(error.details, [("retryAfter", Detail::Number(60_001))]);
        assert!(windows.count("b", Rate::BatchForget, at(30_000)).is_ok(), "another subject");
        assert!(windows.count("a", Rate::Forget, at(30_000)).is_ok(), "another class");
        assert!(windows.count("a", Rate::BatchForget, at(60_001)).is_ok(), "the next window");
    }

    #[test]
    fn an_override_replaces_the_table() {
        let overrides = HashMap::from([(Rate::Admin, Window { window_ms: 10, max: 1 })]);
        let windows = Windows::new(&overrides);
        let at = Timestamp::from_millis;
        assert!(windows.count("a", Rate::Admin, at(0)).is_ok());
        assert!(windows.count("a", Rate::Admin, at(9)).is_err());
        assert!(windows.count("a", Rate::Admin, at(10)).is_ok());
    }

    #[test]
    fn unlimited_calls_are_never_counted() {
        let windows = Windows::new(&HashMap::new());
        assert!((0..1000).all(|n| windows.count("a", Rate::None, Timestamp::from_millis(n)) == Ok(0)));
    }
}

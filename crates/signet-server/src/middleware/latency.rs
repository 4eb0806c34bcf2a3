//! How long requests took, per group, in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Most recent durations kept per group; older ones count in `count` and `mean` only.
const KEPT: usize = 512;

/// Durations of all groups.
#[derive(Debug, Default)]
pub struct Latency {
    groups: Mutex<BTreeMap<&'static str, Group>>,
}

#[derive(Debug, Default)]
struct Group {
    count: u64,
    total_ms: u64,
    recent: Vec<u32>,
}

/// Figures of one group, in whole milliseconds; percentiles are of the most recent 512 requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// Half took at most this.
    pub p50: u32,
    /// 95 % took at most this.
    pub p95: u32,
    /// 99 % took at most this.
    pub p99: u32,
    /// Mean since start.
    pub mean: u64,
    /// Requests since start.
    pub count: u64,
}

/// The group of a route template; `None` = not counted.
pub fn group(method: &str, template: &str) -> Option<&'static str> {
    match template {
        path if path.starts_with("/mcp") => Some("mcp"),
        path if path.starts_with("/api/hooks") => Some("hooks"),
        path if path.ends_with("/remember")
            || path.ends_with("/save")
            || path.ends_with("/remember-batch") =>
        {
            Some("remember")
        }
        path if path.ends_with("/recall") || path.ends_with("/search") || path.ends_with("/similar") => {
            Some("recall")
        }
        path if path.starts_with("/api/memor") && method != "GET" => Some("mutate"),
        path if path.contains("/jobs") => Some("jobs"),
        _ => None,
    }
}

impl Latency {
    /// Adds one request.
    pub fn add(&self, group: &'static str, millis: u64) {
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = groups.entry(group).or_default();
        let place = (entry.count % KEPT as u64) as usize;
        let value = u32::try_from(millis).unwrap_or(u32::MAX);
        if place < entry.recent.len() {
            entry.recent[place] = value;
        } else {
            entry.recent.push(value);
        }
        entry.count += 1;
        entry.total_ms += millis;
    }

    /// Figures of every group that was called.
    pub fn figures(&self) -> Vec<(&'static str, Figures)> {
        let groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        groups.iter().map(|(name, group)| (*name, figures(group))).collect()
    }
}

fn figures(group: &Group) -> Figures {
    let mut sorted = group.recent.clone();
    sorted.sort_unstable();
    let at =
        |percent: usize| sorted.get((sorted.len() * percent).div_ceil(100).max(1) - 1).copied().unwrap_or(0);
    Figures {
        p50: at(50),
        p95: at(95),
        p99: at(99),
        mean: group.total_ms / group.count.max(1),
        count: group.count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let latency = Latency::default();
        for millis in 1..=100 {
            latency.add("recall", millis);
        }
        let expect = Figures { p50: 50, p95: 95, p99: 99, mean: 50, count: 100 };
        assert_eq!(latency.figures(), [("recall", expect)]);
    }

    #[test]
    fn memory_is_bounded() {
        let latency = Latency::default();
        (0..10_000).for_each(|_| latency.add("hooks", 7));
        let expect = Figures { p50: 7, p95: 7, p99: 7, mean: 7, count: 10_000 };
        assert_eq!(latency.figures(), [("hooks", expect)]);
        assert_eq!(latency.groups.lock().expect("lock")["hooks"].recent.len(), KEPT);
    }

    #[test]
    fn groups_of_templates() {
        for (method, path, expect) in [
            ("POST", "/api/memory/remember", Some("remember")),
            ("POST", "/api/memory/recall", Some("recall")),
            ("GET", "/memory/search", Some("recall")),
            ("DELETE", "/api/memory/{id}", Some("mutate")),
            ("GET", "/api/memory/{id}", None),
            ("GET", "/health", None),
        ] {
            assert_eq!(group(method, path), expect, "{path}");
        }
    }
}

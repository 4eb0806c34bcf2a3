//! The bounded queue in front of a thread: a foreground lane and an upkeep lane.
//!
//! Upkeep runs when no foreground job waits, and now and then in spite of it, so that a busy store
//! still keeps itself in order.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Result, StoreError};

/// Foreground jobs that may overtake a waiting upkeep job before it gets its turn.
const OVERTAKEN_AT_MOST: u32 = 512;

/// How urgent a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Somebody waits for the answer.
    Foreground,
    /// Work of the store for itself.
    Upkeep,
}

/// Two bounded lanes that can be closed.
pub(crate) struct Lanes<J> {
    state: Mutex<State<J>>,
    ready: Condvar,
    capacity: usize,
}

impl<J> std::fmt::Debug for Lanes<J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        write!(f, "Lanes({} + {} of {})", state.foreground.len(), state.upkeep.len(), self.capacity)
    }
}

struct State<J> {
    foreground: VecDeque<J>,
    upkeep: VecDeque<J>,
    overtaken: u32,
    closed: bool,
}

impl<J> Lanes<J> {
    /// Empty lanes that hold `capacity` jobs each.
    pub(crate) fn new(capacity: usize) -> Self {
        let state =
            State { foreground: VecDeque::new(), upkeep: VecDeque::new(), overtaken: 0, closed: false };
        Self { state: Mutex::new(state), ready: Condvar::new(), capacity }
    }

    /// Puts a job at the end of a lane. [`StoreError::Overloaded`] when it is full, `Closed` when closed.
    pub(crate) fn push(&self, lane: Lane, job: J) -> Result<()> {
        let mut state = self.lock();
        if state.closed {
            return Err(StoreError::Closed);
        }
        let queue = match lane {
            Lane::Foreground => &mut state.foreground,
            Lane::Upkeep => &mut state.upkeep,
        };
        if queue.len() >= self.capacity {
            return Err(StoreError::Overloaded);
        }
        queue.push_back(job);
        drop(state);
        self.ready.notify_one();
        Ok(())
    }

    /// The next job, waiting for one; `None` when the lanes are closed and empty.
    pub(crate) fn wait(&self) -> Option<J> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.next() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next job that waits already.
    pub(crate) fn take(&self) -> Option<J> {
        self.lock().next()
    }

    /// Whether no job waits and none is refused yet: a moment for work nobody asked for.
    pub(crate) fn is_idle(&self) -> bool {
        let state = self.lock();
        state.foreground.is_empty() && state.upkeep.is_empty() && !state.closed
    }

    /// Refuses further jobs; those that wait are still served.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> State<J> {
    fn next(&mut self) -> Option<J> {
        let upkeep_is_due = self.overtaken >= OVERTAKEN_AT_MOST || self.foreground.is_empty();
        if upkeep_is_due && let Some(job) = self.upkeep.pop_front() {
            self.overtaken = 0;
            return Some(job);
        }
        if !self.upkeep.is_empty() {
            self.overtaken += 1;
        }
        self.foreground.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upkeep_waits_for_the_foreground_but_not_for_ever() {
        let lanes = Lanes::new(2_000);
        lanes.push(Lane::Upkeep, 0).unwrap();
        for n in 1..=1_000 {
            lanes.push(Lane::Foreground, n).unwrap();
        }
        let order: Vec<i32> = std::iter::from_fn(|| lanes.take()).collect();
        assert_eq!(order.len(), 1_001);
        assert_eq!(order.iter().position(|n| *n == 0), Some(OVERTAKEN_AT_MOST as usize));
        let foreground: Vec<i32> = order.into_iter().filter(|n| *n != 0).collect();
        assert!(foreground.is_sorted());
    }

    #[test]
    fn a_full_lane_refuses_and_leaves_the_other_one_open() {
        let lanes = Lanes::new(1);
        lanes.push(Lane::Foreground, 1).unwrap();
        assert!(matches!(lanes.push(Lane::Foreground, 2), Err(StoreError::Overloaded)));
        lanes.push(Lane::Upkeep, 3).unwrap();
        assert_eq!((lanes.take(), lanes.take(), lanes.take()), (Some(1), Some(3), None));
    }

    #[test]
    fn closed_lanes_serve_what_waits_and_take_nothing_new() {
        let lanes = Lanes::new(4);
        assert!(lanes.is_idle());
        lanes.push(Lane::Foreground, 1).unwrap();
        assert!(!lanes.is_idle());
        lanes.close();
        assert!(matches!(lanes.push(Lane::Foreground, 2), Err(StoreError::Closed)));
        assert_eq!((lanes.wait(), lanes.wait()), (Some(1), None));
        assert!(!lanes.is_idle());
    }
}

//! Named points of the engine at which a test can make it fail, panic or die.
//!
//! They are compiled into every build, so that what is tested is what runs; unarmed, a point costs one
//! atomic read. A set of points belongs to one store: two stores of a process do not disturb each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Result, StoreError};

/// A place in the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// All closures of a group ran; the commit comes next.
    BeforeCommit,
    /// The group is committed; nobody was answered yet.
    AfterCommit,
    /// Between two closures of one group.
    MidGroup,
    /// A migration's statements ran; its version row and commit come next.
    InMigration,
}

/// What happens there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// An I/O error.
    Error,
    /// The error of a full disk.
    DiskFull,
    /// A panic.
    Panic,
    /// The process ends at once, as by `kill -9`.
    Abort,
}

#[derive(Debug, Clone, Copy)]
struct Armed {
    point: Point,
    action: Action,
    passes_left: u32,
}

#[derive(Debug, Default)]
struct Plan {
    live: AtomicBool,
    armed: Mutex<Vec<Armed>>,
}

/// The fault points of one store. The default has none armed.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    plan: Arc<Plan>,
}

impl Faults {
    /// Arms a point once: `passes` visits go by, the next one fires.
    pub fn arm(&self, point: Point, action: Action, passes: u32) {
        let mut armed = self.plan.armed.lock().unwrap_or_else(PoisonError::into_inner);
        armed.push(Armed { point, action, passes_left: passes });
        self.plan.live.store(true, Ordering::Release);
    }

    /// The engine passes a point.
    pub(crate) fn pass(&self, point: Point) -> Result<()> {
        if !self.plan.live.load(Ordering::Acquire) {
            return Ok(());
        }
        match self.due(point) {
            Some(action) => strike(point, action),
            None => Ok(()),
        }
    }

    fn due(&self, point: Point) -> Option<Action> {
        let mut armed = self.plan.armed.lock().unwrap_or_else(PoisonError::into_inner);
        let at = armed.iter().position(|fault| fault.point == point)?;
        if armed[at].passes_left > 0 {
            armed[at].passes_left -= 1;
            return None;
        }
        let fault = armed.remove(at);
        self.plan.live.store(!armed.is_empty(), Ordering::Release);
        Some(fault.action)
    }
}

fn strike(point: Point, action: Action) -> Result<()> {
    let failed = |kind| {
        let source = std::io::Error::new(kind, "armed by a test");
        Err(StoreError::Io { path: format!("fault point {point:?}"), source })
    };
    match action {
        Action::Error => failed(std::io::ErrorKind::Other),
        Action::DiskFull => failed(std::io::ErrorKind::StorageFull),
        Action::Panic => std::panic::panic_any(format!("fault point {point:?}")),
        Action::Abort => std::process::abort(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_fires_once_after_its_passes_and_only_where_it_is_armed() {
        let faults = Faults::default();
        faults.arm(Point::BeforeCommit, Action::Error, 1);
        assert!(faults.pass(Point::MidGroup).is_ok());
        assert!(faults.pass(Point::BeforeCommit).is_ok());
        assert!(faults.pass(Point::BeforeCommit).is_err());
        assert!(faults.pass(Point::BeforeCommit).is_ok());
    }
}

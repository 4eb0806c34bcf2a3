//! Admission: so many of a class run, so many wait for a while, the next one hears 503 at once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use signet_model::{Code, Error};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Room;
use crate::route::Admission;

/// The rooms of all classes.
#[derive(Debug)]
pub struct Rooms {
    rooms: HashMap<Admission, Class>,
}

#[derive(Debug)]
struct Class {
    room: Room,
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

/// Leave to run; dropped when the work is done.
#[derive(Debug)]
pub struct Permit {
    _held: Option<OwnedSemaphorePermit>,
}

/// The room of a class on this machine; `None` = never held back.
pub fn room(admission: Admission) -> Option<Room> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (running, waiting, millis) = match admission {
        Admission::Open => return None,
        Admission::Capture => (64, 256, 2_000),
        Admission::Recall => ((2 * cores).max(4), 200, 5_000),
        Admission::Repair => (1, 0, 0),
    };
    Some(Room { running, waiting, patience: Duration::from_millis(millis) })
}

impl Rooms {
    /// Empty rooms, with these overrides of [`room`].
    pub fn new(overrides: &HashMap<Admission, Room>) -> Self {
        let classes = [Admission::Capture, Admission::Recall, Admission::Repair];
        let rooms = classes.into_iter().filter_map(|admission| {
            let room = overrides.get(&admission).copied().or_else(|| room(admission))?;
            let (running, waiting) = (Arc::new(Semaphore::new(room.running)), Semaphore::new(room.waiting));
            Some((admission, Class { room, running, waiting }))
        });
        Self { rooms: rooms.collect() }
    }

    /// Waits for a place. No place to wait, or none in time: 503 `overloaded`; a second repair: 409.
    pub async fn enter(&self, admission: Admission) -> Result<Permit, Error> {
        let Some(class) = self.rooms.get(&admission) else { return Ok(Permit { _held: None }) };
        let running = Arc::clone(&class.running);
        if let Ok(permit) = Arc::clone(&running).try_acquire_owned() {
            return Ok(Permit { _held: Some(permit) });
        }
        let _place = class.waiting.try_acquire().map_err(|_| full(admission))?;
        match tokio::time::timeout(class.room.patience, running.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Permit { _held: Some(permit) }),
            Ok(Err(_)) | Err(_) => Err(full(admission)),
        }
    }
}

fn full(admission: Admission) -> Error {
    if admission == Admission::Repair {
        return Error::new(Code::AlreadyRunning, "another repair is running").hint("wait until it is done");
    }
    Error::new(Code::Overloaded, "too many requests of this kind are running").hint("try again in a second")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms(room: Room) -> Rooms {
        Rooms::new(&HashMap::from([(Admission::Recall, room)]))
    }

    #[tokio::test]
    async fn a_full_room_without_seats_refuses_at_once_and_frees_its_place() {
        let rooms = rooms(Room { running: 1, waiting: 0, patience: Duration::from_mins(1) });
        let first = rooms.enter(Admission::Recall).await.expect("room");
        assert_eq!(rooms.enter(Admission::Recall).await.expect_err("full").code, Code::Overloaded);
        assert!(rooms.enter(Admission::Capture).await.is_ok(), "another class has its own room");
        drop(first);
        assert!(rooms.enter(Admission::Recall).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_gets_the_place_that_becomes_free() {
        let rooms = rooms(Room { running: 1, waiting: 1, patience: Duration::from_mins(1) });
        let first = rooms.enter(Admission::Recall).await.expect("room");
        let (second, ()) = tokio::join!(rooms.enter(Admission::Recall), async {
            tokio::task::yield_now().await;
            assert_eq!(rooms.enter(Admission::Recall).await.expect_err("no seat").code, Code::Overloaded);
            drop(first);
        });
        assert!(second.is_ok());
    }

    #[tokio::test]
    async fn patience_ends() {
        let rooms = rooms(Room { running: 1, waiting: 1, patience: Duration::ZERO });
        let _first = rooms.enter(Admission::Recall).await.expect("room");
        assert_eq!(rooms.enter(Admission::Recall).await.expect_err("no patience").code, Code::Overloaded);
    }

    #[tokio::test]
    async fn a_second_repair_is_told_that_one_runs() {
        let rooms = Rooms::new(&HashMap::new());
        let _first = rooms.enter(Admission::Repair).await.expect("room");
        assert_eq!(
            rooms.enter(Admission::Repair).await.expect_err("one at a time").code,
            Code::AlreadyRunning
        );
        assert!(rooms.enter(Admission::Open).await.is_ok());
    }
}

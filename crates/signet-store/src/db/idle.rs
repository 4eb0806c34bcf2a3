//! What the writer thread does for the file while nobody waits for it.

use rusqlite::Connection;

use crate::Result;
use crate::db::{lifecycle, space};

/// Changed rows after which the first sample is taken.
const FIRST_SAMPLE: u64 = 2_000;

/// Looks after one file for as long as it is open.
#[derive(Debug)]
pub(crate) struct Caretaker {
    /// Number of changed rows at which the next sample is due.
    sample_at: u64,
}

impl Caretaker {
    pub(crate) const fn new() -> Self {
        Self { sample_at: FIRST_SAMPLE }
    }

    /// Does one short piece of work. Returns whether there is more to do.
    pub(crate) fn work(&mut self, connection: &Connection) -> Result<bool> {
        let changes = connection.total_changes();
        if changes >= self.sample_at {
            // A store that has grown fourfold may need other plans; one that grew by a tenth does not.
            self.sample_at = changes.saturating_mul(4);
            lifecycle::optimize(connection)?;
            return Ok(true);
        }
        space::shrink(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_taken_as_the_file_grows_and_not_again_and_again() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (a); CREATE INDEX i ON t (a)").unwrap();
        let grow = |rows: u64| {
            for n in 0..rows {
                connection.execute("INSERT INTO t VALUES (?1)", [n as i64]).unwrap();
            }
        };
        let sampled = || -> i64 {
            let known = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'";
            connection.query_row(known, [], |row| row.get(0)).unwrap()
        };
        let mut caretaker = Caretaker::new();
        grow(FIRST_SAMPLE - 1);
        assert!(!caretaker.work(&connection).unwrap());
        assert_eq!(sampled(), 0);
        grow(1);
        assert!(caretaker.work(&connection).unwrap());
        assert_eq!(sampled(), 1);
        grow(FIRST_SAMPLE);
        assert!(!caretaker.work(&connection).unwrap());
        grow(FIRST_SAMPLE * 2);
        assert!(caretaker.work(&connection).unwrap());
    }
}

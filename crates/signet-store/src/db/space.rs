//! Free pages go back to the file system by themselves: the file is in incremental vacuum mode.

use std::time::Duration;

use rusqlite::Connection;

use crate::Result;

/// Pages given back at a time: a few milliseconds of the writer.
const PORTION: i64 = 512;
/// Free pages that an erase gives back at once; the rest follows portion by portion.
const SCRUBBED: i64 = 20_000;
/// How long an erase waits for readers of old snapshots.
const SCRUB_WAIT: Duration = Duration::from_millis(500);
/// The usual wait for a lock (see `pragma`).
const WAIT: Duration = Duration::from_secs(5);
/// Free pages that are kept in any case, because new rows will use them.
const KEPT: i64 = 2_048;

/// Gives one portion of free pages back when there are many. Returns whether there may be more to give.
pub(crate) fn shrink(connection: &Connection) -> Result<bool> {
    let number = |pragma: &str| -> Result<i64> {
        Ok(connection.prepare_cached(pragma)?.query_row([], |row| row.get(0))?)
    };
    if !is_much(number("PRAGMA freelist_count")?, number("PRAGMA page_count")?) {
        return Ok(false);
    }
    give_back(connection, PORTION)?;
    Ok(true)
}

fn give_back(connection: &Connection, pages: i64) -> Result<()> {
    // One step of the statement frees one page, so it is walked to its end.
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
    let mut steps = statement.raw_query();
    while steps.next()?.is_some() {}
    Ok(())
}

/// Gives free pages back, which may hold bytes of what was erased, and empties the write-ahead log, which
/// holds older forms of pages. A reader of an old snapshot makes the log wait for a later checkpoint.
pub(crate) fn scrub(connection: &Connection) -> Result<()> {
    give_back(connection, SCRUBBED)?;
    connection.busy_timeout(SCRUB_WAIT)?;
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(WAIT)?;
    if emptied? != 0 {
        tracing::info!("a reader keeps the log in use; it is emptied at a later checkpoint");
    }
    Ok(())
}

/// Whether so much of the file is free that its pages are better given back than kept: an eighth.
const fn is_much(free: i64, total: i64) -> bool {
    free > KEPT && free * 8 > total
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::control::meta;
    use crate::testing::TestStore;

    #[test]
    fn the_file_shrinks_by_itself_after_a_mass_deletion() {
        let store = TestStore::new();
        let writer = store.writer();
        let text = "x".repeat(400_000);
        writer
            .write_blocking(move |tx| {
                (0..60).try_for_each(|n| meta::set(tx, &format!("big {n}"), &json!(text)))
            })
            .unwrap();
        let full = store.number("PRAGMA page_count");
        writer.write_blocking(|tx| (0..54).try_for_each(|n| meta::remove(tx, &format!("big {n}")))).unwrap();
        // The writer thread is not asked: it has to end up here by itself.
        while is_much(store.number("PRAGMA freelist_count"), store.number("PRAGMA page_count")) {
            std::thread::yield_now();
        }
        let left = store.number("PRAGMA page_count");
        assert!(left * 2 < full, "{left} of {full} pages are left");
    }

    #[test]
    fn few_free_pages_are_kept() {
        assert!(!is_much(2_048, 3_000));
        assert!(!is_much(10_000, 100_000));
        assert!(is_much(10_000, 79_999));
    }
}

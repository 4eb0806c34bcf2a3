//! Free pages go back to the file system by themselves (the file is in incremental vacuum mode).

use crate::{Result, WriteTx};

/// Gives at most `pages` free pages back. Returns whether there are more.
///
/// For the upkeep lane: a portion of 1,000 pages holds the writer for some milliseconds.
pub fn reclaim(tx: &WriteTx<'_>, pages: u32) -> Result<bool> {
    let free =
        || -> Result<i64> { Ok(tx.prepare("PRAGMA freelist_count")?.query_row([], |row| row.get(0))?) };
    if free()? == 0 {
        return Ok(false);
    }
    // One step of the statement frees one page, so it is walked to its end.
    let mut statement = tx.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
    let mut steps = statement.raw_query();
    while steps.next()?.is_some() {}
    Ok(free()? > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::control::meta;
    use crate::testing::TestStore;

    #[test]
    fn the_file_shrinks_after_a_mass_deletion() {
        let store = TestStore::new();
        let writer = store.writer();
        let text = "x".repeat(100_000);
        for n in 0..100 {
            let text = text.clone();
            writer.write_blocking(move |tx| meta::set(tx, &format!("big {n}"), &json!(text))).unwrap();
        }
        let full = store.number("PRAGMA page_count");
        writer.write_blocking(|tx| (0..90).try_for_each(|n| meta::remove(tx, &format!("big {n}")))).unwrap();
        while writer.upkeep().write_blocking(|tx| reclaim(tx, 500)).unwrap() {}
        let left = store.number("PRAGMA page_count");
        assert!(left * 4 < full, "{left} of {full} pages are left");
        assert_eq!(store.number("PRAGMA freelist_count"), 0);
    }
}

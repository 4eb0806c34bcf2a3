//! Free pages of the file after an erase: what was deleted long ago may have left words in them.

use crate::{Result, WriteTx};

/// Gives at most `pages` free pages back to the file system, and says whether there are more. Run it on
/// the upkeep lane, portion by portion.
pub fn give_pages_back(tx: &WriteTx<'_>, pages: u32) -> Result<bool> {
    const FREE: &str = "PRAGMA freelist_count";
    let free = || -> Result<i64> { Ok(tx.prepare(FREE)?.query_row([], |row| row.get(0))?) };
    if free()? == 0 {
        return Ok(false);
    }
    // One step of the statement frees one page, so it is walked to its end.
    let mut statement = tx.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
    let mut steps = statement.raw_query();
    while steps.next()?.is_some() {}
    Ok(free()? > 0)
}

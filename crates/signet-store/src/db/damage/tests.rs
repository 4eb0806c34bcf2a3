use std::io::{Seek as _, SeekFrom, Write as _};

use serde_json::json;

use super::*;
use crate::Store;
use crate::control::meta;
use crate::db::restore::restore;
use crate::testing::TestStore;

/// Overwrites the root page of a table or index in a closed database.
fn break_page(store: &TestStore, object: &str) {
    let raw = store.raw();
    let page: i64 = raw
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [object], |row| row.get(0))
        .unwrap();
    let size: i64 = raw.query_row("PRAGMA page_size", [], |row| row.get(0)).unwrap();
    raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(raw);
    let mut file = std::fs::OpenOptions::new().write(true).open(store.database()).unwrap();
    file.seek(SeekFrom::Start(((page - 1) * size) as u64)).unwrap();
    file.write_all(&vec![0xA5; size as usize]).unwrap();
}

/// Leaves the mark that a killed process leaves.
fn pretend_killed(store: &TestStore) {
    store
        .raw()
        .execute("UPDATE daemon_meta SET value = '{\"state\":\"running\"}' WHERE key = 'lifecycle'", [])
        .unwrap();
}

/// The report once the check is over.
fn checked(store: &Store) -> HealthReport {
    loop {
        let report = store.health().report();
        if report.check != Check::Running {
            return report;
        }
        std::thread::yield_now();
    }
}

fn write(store: &TestStore) -> Result<()> {
    store.writer().write_blocking(|tx| meta::set(tx, "row", &json!(1)))
}

#[test]
fn a_clean_stop_needs_no_check_and_an_unclean_one_gets_it() {
    let mut store = TestStore::new();
    assert_eq!(checked(store.store()), HealthReport::default());
    store.close();
    pretend_killed(&store);
    store.reopen();
    assert_eq!(checked(store.store()), HealthReport { check: Check::Passed, ..HealthReport::default() });
    store.reopen();
    assert_eq!(checked(store.store()).check, Check::NotNeeded);
}

#[test]
fn a_damaged_file_is_served_read_only_until_it_is_restored() {
    let mut store = TestStore::new();
    write(&store).unwrap();
    let backup = store.workspace().join("backup.db");
    store.store().backup(&backup).unwrap();
    store.close();
    pretend_killed(&store);
    break_page(&store, "ix_history_memory");
    store.reopen();
    let report = checked(store.store());
    assert_eq!(report.check, Check::Failed);
    assert!(report.damage.is_some());

    assert_eq!(write(&store).unwrap_err().code(), Code::StorageUnavailable);
    assert_eq!(store.reader().read_blocking(|tx| meta::find(tx, "row")).unwrap(), Some(json!(1)));
    let refused = store.store().backup(&store.workspace().join("of-damage.db")).unwrap_err();
    assert_eq!(refused.code(), Code::Corrupt);
    let names = || -> Vec<_> {
        std::fs::read_dir(store.workspace().join("memory")).unwrap().map(|e| e.unwrap().file_name()).collect()
    };
    assert!(!names().iter().any(|name| name.to_string_lossy().contains("damaged")));

    store.close();
    restore(store.workspace(), &backup, &store.ids()).unwrap();
    store.reopen();
    write(&store).unwrap();
}

#[test]
fn damage_that_a_read_meets_stops_the_writes() {
    let mut store = TestStore::new();
    store.close();
    break_page(&store, "memory_history");
    store.reopen();
    write(&store).unwrap();
    let read = store.reader().read_blocking(|tx| {
        let rows: i64 =
            tx.prepare("SELECT COUNT(*) FROM memory_history NOT INDEXED")?.query_row([], |r| r.get(0))?;
        Ok(rows)
    });
    assert_eq!(read.unwrap_err().code(), Code::StorageUnavailable);
    assert_eq!(write(&store).unwrap_err().code(), Code::StorageUnavailable);
}

#[test]
fn damage_that_a_write_meets_is_told_to_its_caller_too() {
    let mut store = TestStore::new();
    store.close();
    break_page(&store, "purge_receipts");
    store.reopen();
    let insert = "INSERT INTO purge_receipts (agent_id, id, mode, actor, reason, created_at, receipt_json)
        VALUES ('default', 'r', 'purge', 'a', 'b', 'c', '{}')";
    let first = store.writer().write_blocking(|tx| tx.execute(insert, []));
    assert_eq!(first.unwrap_err().code(), Code::StorageUnavailable);
    assert!(store.store().health().is_damaged());
    assert_eq!(write(&store).unwrap_err().code(), Code::StorageUnavailable);
}

#[test]
fn a_full_text_index_that_drifted_is_no_damage() {
    let drift =
        rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT_VTAB), None);
    let health = Health::default();
    health.observe(&StoreError::Sqlite(drift));
    assert!(!health.is_damaged());
    let broken =
        rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT), None);
    health.observe(&StoreError::Sqlite(broken));
    assert!(health.is_damaged());
}

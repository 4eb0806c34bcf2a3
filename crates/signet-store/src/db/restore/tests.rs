use std::path::PathBuf;

use serde_json::json;
use signet_model::Code;

use super::*;
use crate::control::meta;
use crate::testing::TestStore;
use crate::{Store, StoreError};

fn mark(store: &TestStore, value: i64) {
    store.writer().write_blocking(move |tx| meta::set(tx, "mark", &json!(value))).unwrap();
}

fn marked(store: &TestStore) -> Option<serde_json::Value> {
    store.reader().read_blocking(|tx| meta::find(tx, "mark")).unwrap()
}

/// A store that says 2, and a backup of it from when it said 1.
fn store_and_backup() -> (TestStore, PathBuf) {
    let store = TestStore::new();
    mark(&store, 1);
    let backup = store.workspace().join("backup.db");
    store.store().backup(&backup).unwrap();
    mark(&store, 2);
    (store, backup)
}

#[test]
fn the_backup_takes_the_place_and_the_former_database_stays_readable() {
    let (mut store, backup) = store_and_backup();
    store.close();
    let restored = restore(store.workspace(), &backup, &store.ids()).unwrap();
    let aside = beside(&store.database(), &format!(".damaged-{}", store.ids().now().millis()));
    assert_eq!(restored, Restored { database: store.database(), moved_aside: Some(aside.clone()) });
    store.reopen();
    assert_eq!(marked(&store), Some(json!(1)));
    let former = rusqlite::Connection::open(aside).unwrap();
    let value: String =
        former.query_row("SELECT value FROM daemon_meta WHERE key = 'mark'", [], |row| row.get(0)).unwrap();
    assert_eq!(value, "2");
}

#[test]
fn a_backup_is_restored_into_an_empty_workspace() {
    let (store, backup) = store_and_backup();
    let elsewhere = tempfile::tempdir().unwrap();
    let restored = restore(elsewhere.path(), &backup, &store.ids()).unwrap();
    assert_eq!(restored.moved_aside, None);
    let mut options = store.options();
    options.workspace = elsewhere.path().to_owned();
    let opened = Store::open(&options).unwrap();
    assert_eq!(opened.reader().read_blocking(|tx| meta::find(tx, "mark")).unwrap(), Some(json!(1)));
}

#[test]
fn a_running_store_refuses_a_restore() {
    let (store, backup) = store_and_backup();
    let Err(StoreError::Locked(holder)) = restore(store.workspace(), &backup, &store.ids()) else {
        panic!("restored under a running store");
    };
    assert_eq!(holder.pid, Some(std::process::id()));
    assert_eq!(marked(&store), Some(json!(2)));
}

#[test]
fn a_backup_that_does_not_verify_changes_nothing() {
    let (mut store, backup) = store_and_backup();
    store.close();
    std::fs::write(&backup, "no database").unwrap();
    let before = std::fs::read(store.database()).unwrap();
    let failure = restore(store.workspace(), &backup, &store.ids()).unwrap_err();
    assert_eq!(failure.code(), Code::Corrupt);
    assert_eq!(std::fs::read(store.database()).unwrap(), before);
}

#[test]
fn a_restore_that_died_between_its_renames_is_carried_through() {
    // How many of the old parts had moved when the process died.
    for moved in 0..=2 {
        let (mut store, backup) = store_and_backup();
        store.close();
        let database = store.database();
        std::fs::write(beside(&database, "-wal"), "an old log").unwrap();
        backup::copy(&backup, &beside(&database, ".restoring-77")).unwrap();
        let aside = beside(&database, ".damaged-77");
        for part in PARTS.iter().take(moved) {
            std::fs::rename(beside(&database, part), beside(&aside, part)).unwrap();
        }
        store.reopen();
        assert_eq!(marked(&store), Some(json!(1)), "after {moved} renames");
        assert!(aside.exists());
        assert_eq!(std::fs::read_to_string(beside(&aside, "-wal")).unwrap(), "an old log");
        assert!(!beside(&database, ".restoring-77").exists());
    }
}

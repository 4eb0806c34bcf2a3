use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use super::*;
use crate::control::meta;
use crate::testing::{TestStore, dump, plant};

fn contents(path: &Path) -> String {
    dump::dump(&Connection::open(path).unwrap(), &[])
}

#[test]
fn a_backup_equals_the_store_and_verifies() {
    let store = TestStore::new();
    store.writer().write_blocking(|tx| meta::set(tx, "kept", &json!(1))).unwrap();
    let to = store.workspace().join("backups/today/copy.db");
    let report = store.store().backup(&to).unwrap();
    assert_eq!(contents(&to), store.dump());
    assert_eq!(report, verify(&to).unwrap());
    assert_eq!((report.schema_version, report.memories), (148, 0));
    assert_eq!(report.sha256, crate::db::sha256_hex(&std::fs::read(&to).unwrap()));
    assert!(!beside(&to, "-wal").exists());
}

#[test]
fn a_backup_under_write_load_is_one_consistent_state() {
    let store = TestStore::new();
    let stop = AtomicBool::new(false);
    let to = store.workspace().join("copy.db");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0.. {
                let write = move |tx: &crate::WriteTx<'_>| {
                    meta::set(tx, "left", &json!(n))?;
                    meta::set(tx, "right", &json!(n))
                };
                store.writer().write_blocking(write).unwrap();
                if stop.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
        for round in 0..5 {
            store.store().backup(&beside(&to, &round.to_string())).unwrap();
        }
        stop.store(true, Ordering::SeqCst);
    });
    for round in 0..5 {
        let copy = Connection::open(beside(&to, &round.to_string())).unwrap();
        let distinct: i64 = copy
            .query_row(
                "SELECT COUNT(DISTINCT value) FROM daemon_meta WHERE key IN ('left', 'right')",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert!(distinct <= 1, "a half write in backup {round}");
    }
}

#[test]
fn without_a_database_there_is_nothing_to_copy() {
    let empty = tempfile::tempdir().unwrap();
    let to = empty.path().join("copy.db");
    assert_eq!(create(empty.path(), &to).unwrap_err().code(), Code::NotFound);
    assert!(!to.exists());
}

#[test]
fn an_existing_file_is_not_overwritten() {
    let store = TestStore::new();
    let to = store.workspace().join("copy.db");
    std::fs::write(&to, "mine").unwrap();
    assert_eq!(store.store().backup(&to).unwrap_err().code(), Code::AlreadyExists);
    assert_eq!(std::fs::read_to_string(to).unwrap(), "mine");
}

#[test]
fn a_broken_backup_does_not_verify() {
    let store = TestStore::new();
    let to = store.workspace().join("copy.db");
    store.store().backup(&to).unwrap();
    let mut bytes = std::fs::read(&to).unwrap();
    for byte in &mut bytes[4096 * 8..4096 * 9] {
        *byte = 0xA5;
    }
    std::fs::write(&to, bytes).unwrap();
    assert_eq!(verify(&to).unwrap_err().code(), Code::Corrupt);
    std::fs::write(&to, "").unwrap();
    assert_eq!(verify(&to).unwrap_err().code(), Code::Corrupt);
}

#[test]
fn the_newest_five_backups_before_migrations_are_kept() {
    let store = TestStore::new();
    let database = store.database();
    let stranger = beside(&database, ".bak-v148-mine");
    std::fs::write(&stranger, "").unwrap();
    let mut made = Vec::new();
    for version in [9, 10, 11, 148, 148, 148, 148] {
        store.clock.advance(1);
        made.push(before_migration(&database, version, store.ids().now()).unwrap());
    }
    assert_eq!(list_migration_backups(&database).unwrap(), made[2..]);
    assert!(stranger.exists());
}

#[test]
fn a_byte_that_changed_inside_a_text_is_seen() {
    let store = TestStore::new();
    let agent = signet_model::AgentId::default_agent();
    let texts = ["the kettle is in the second drawer", "the key is under the mat"];
    let planted = plant::memories(&store, &agent, &texts);
    for (id, text) in planted.iter().zip(texts) {
        let hash = signet_model::text::normal::content_hash(text);
        let bound = [hash.as_str(), id.as_str()];
        store.raw().execute("UPDATE memories SET content_hash = ?1 WHERE id = ?2", bound).unwrap();
    }
    let to = store.workspace().join("copy.db");
    store.store().backup(&to).unwrap();
    let sound = texts::Texts { checked: 2, ..texts::Texts::default() };
    assert_eq!(texts::compare(&to).unwrap(), sound);

    let mut bytes = std::fs::read(&to).unwrap();
    let old = b"second drawer";
    for at in 0..bytes.len() - old.len() {
        if bytes[at..].starts_with(old) {
            bytes[at] = b'5';
        }
    }
    std::fs::write(&to, bytes).unwrap();
    verify(&to).unwrap();
    let named = vec![planted[0].as_str().to_owned()];
    assert_eq!(texts::compare(&to).unwrap(), texts::Texts { checked: 2, altered: 1, named });
}

#[test]
fn a_file_that_is_no_backup_is_refused_with_advice_about_backups() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "no database at all".repeat(100)).unwrap();
    for path in [file.as_path(), folder.path()] {
        match verify(path) {
            Err(StoreError::Unusable { hint, .. }) => {
                assert_eq!(hint, "name a file that `signet backup` made");
            }
            other => panic!("{other:?}"),
        }
    }
}

use serde_json::json;

use super::*;
use crate::control::meta;
use crate::db::pragma::Journal;
use crate::testing::TestStore;

fn pragma_of(prepare: impl Fn(&str) -> Result<String>, names: &[&str]) -> Result<Vec<String>> {
    names.iter().map(|name| prepare(&format!("PRAGMA {name}"))).collect()
}

fn text(row: &rusqlite::Row<'_>) -> rusqlite::Result<String> {
    row.get::<_, rusqlite::types::Value>(0).map(|value| match value {
        rusqlite::types::Value::Integer(n) => n.to_string(),
        rusqlite::types::Value::Text(text) => text,
        other => format!("{other:?}"),
    })
}

const NAMES: [&str; 9] = [
    "journal_mode",
    "synchronous",
    "foreign_keys",
    "busy_timeout",
    "temp_store",
    "auto_vacuum",
    "application_id",
    "user_version",
    "query_only",
];

#[test]
fn the_writer_is_durable_and_the_readers_cannot_write() {
    let store = TestStore::new();
    let writer = store
        .writer()
        .write_blocking(|tx| pragma_of(|sql| Ok(tx.prepare(sql)?.query_row([], text)?), &NAMES))
        .unwrap();
    assert_eq!(writer, ["wal", "2", "1", "5000", "2", "2", "1397182036", "148", "0"]);
    let reader = store
        .reader()
        .read_blocking(|tx| pragma_of(|sql| Ok(tx.prepare(sql)?.query_row([], text)?), &NAMES))
        .unwrap();
    assert_eq!(reader[2..4], ["1", "5000"]);
    assert_eq!(reader[8], "1");
    let limit = store
        .writer()
        .write_blocking(|tx| Ok(tx.prepare("PRAGMA journal_size_limit")?.query_row([], text)?))
        .unwrap();
    assert_eq!(limit, "67108864");
}

#[test]
fn a_synced_folder_uses_the_rollback_journal_and_comes_back_to_the_log_elsewhere() {
    let root = tempfile::tempdir().unwrap();
    let store = TestStore::new();
    let synced = root.path().join("Dropbox").join("a b ü 名");
    let mut options = store.options();
    options.workspace = synced.clone();
    let journal_of = |store: &Store| {
        store
            .writer()
            .write_blocking(|tx| pragma_of(|sql| Ok(tx.prepare(sql)?.query_row([], text)?), &NAMES[..2]))
            .unwrap()
    };
    let opened = Store::open(&options).unwrap();
    assert_eq!(opened.report().journal, Journal::Rollback);
    assert_eq!(journal_of(&opened), ["truncate", "3"]);
    opened.writer().write_blocking(|tx| meta::set(tx, "kept", &json!(1))).unwrap();
    drop(opened);

    let local = root.path().join("local");
    std::fs::rename(&synced, &local).unwrap();
    options.workspace = local;
    let opened = Store::open(&options).unwrap();
    assert_eq!(journal_of(&opened), ["wal", "2"]);
    assert_eq!(opened.reader().read_blocking(|tx| meta::find(tx, "kept")).unwrap(), Some(json!(1)));
}

/// INV-13: the second one cannot open the file at all.
#[test]
fn a_second_store_on_the_workspace_is_refused_and_named() {
    let mut store = TestStore::new();
    store.store().announce("http://127.0.0.1:3850").unwrap();
    let Err(StoreError::Locked(holder)) = Store::open(&store.options()) else {
        panic!("two stores on one workspace");
    };
    assert_eq!(holder.pid, Some(std::process::id()));
    assert_eq!(holder.url.as_deref(), Some("http://127.0.0.1:3850"));
    store.close();
    drop(Store::open(&store.options()).unwrap());
}

#[test]
fn of_many_starts_at_once_one_serves() {
    let mut store = TestStore::new();
    store.close();
    let options = store.options();
    let opened: Vec<Result<Store>> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..5).map(|_| scope.spawn(|| Store::open(&options))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    assert_eq!(opened.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in &opened {
        assert!(matches!(outcome, Ok(_) | Err(StoreError::Locked(_))), "{outcome:?}");
    }
}

#[test]
fn a_clean_stop_empties_the_log_and_a_second_close_does_nothing() {
    let mut store = TestStore::new();
    store.writer().write_blocking(|tx| meta::set(tx, "row", &json!(1))).unwrap();
    store.store().close().unwrap();
    store.store().close().unwrap();
    assert!(matches!(store.store().announce("x"), Err(StoreError::Closed)));
    let log = crate::db::beside(&store.database(), "-wal");
    assert!(std::fs::metadata(log).map_or(true, |log| log.len() == 0));
    store.reopen();
    assert_eq!(store.store().last_stop(), LastStop::Clean);
}

#[cfg(unix)]
#[test]
fn every_file_is_private_and_an_adopted_one_is_tightened() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut store = TestStore::new();
    store.close();
    std::fs::set_permissions(store.database(), std::fs::Permissions::from_mode(0o644)).unwrap();
    store.reopen();
    assert_eq!(store.store().report().tightened, [store.database()]);
    store.writer().write_blocking(|tx| meta::set(tx, "row", &json!(1))).unwrap();
    let mut seen = 0;
    for entry in std::fs::read_dir(store.workspace().join("memory")).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.file_name());
        seen += 1;
    }
    assert_eq!(seen, 3, "database, log and shared memory");
}

#[test]
fn a_path_with_spaces_quotes_and_line_breaks_works() {
    let store = TestStore::new();
    let root = tempfile::tempdir().unwrap();
    let mut options = store.options();
    options.workspace = root.path().join("a 'b' \"c\"\nü 名 ?x=1#y");
    drop(Store::open(&options).unwrap());
    let opened = Store::open(&options).unwrap();
    assert_eq!(opened.report().path, options.workspace);
    assert!(options.workspace.join("memory/memories.db").exists());
}

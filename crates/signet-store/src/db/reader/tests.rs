use serde_json::json;
use signet_model::Code;

use super::*;
use crate::control::meta;
use crate::testing::TestStore;

#[test]
fn one_closure_sees_one_snapshot() {
    let store = TestStore::new();
    let (reader, writer) = (store.reader(), store.writer());
    let seen = reader
        .read_blocking(move |tx| {
            let before = meta::find(tx, "late")?;
            writer.write_blocking(|tx| meta::set(tx, "late", &json!(1)))?;
            Ok((before, meta::find(tx, "late")?))
        })
        .unwrap();
    assert_eq!(seen, (None, None));
    assert_eq!(reader.read_blocking(|tx| meta::find(tx, "late")).unwrap(), Some(json!(1)));
}

#[test]
fn a_reader_cannot_write() {
    let store = TestStore::new();
    for sql in ["DELETE FROM daemon_meta", "PRAGMA user_version=1", "CREATE TEMP TABLE t (a)"] {
        let outcome = store.reader().read_blocking(move |tx| Ok(tx.prepare(sql)?.execute([])?));
        assert!(outcome.is_err(), "{sql}");
    }
    assert_eq!(store.number("PRAGMA user_version"), 148);
}

#[test]
fn a_panic_or_an_error_leaves_the_pool_whole_and_the_snapshot_gone() {
    let store = TestStore::new();
    let reader = store.reader();
    for _ in 0..8 {
        let panicked = reader.read_blocking(|_| -> Result<()> { panic!("armed by the test") });
        assert_eq!(panicked.unwrap_err().code(), Code::Internal);
        let failed = reader.read_blocking(|tx| tx.prepare("SELECT * FROM no_such_table").map(drop));
        assert_eq!(failed.unwrap_err().code(), Code::Internal);
    }
    store.writer().write_blocking(|tx| meta::set(tx, "fresh", &json!(1))).unwrap();
    for _ in 0..8 {
        assert_eq!(reader.read_blocking(|tx| meta::find(tx, "fresh")).unwrap(), Some(json!(1)));
    }
}

#[test]
fn closing_the_store_ends_running_reads_and_refuses_new_ones() {
    const ENDLESS: &str =
        "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n";
    let mut store = TestStore::new();
    let reader = store.reader();
    let (started, running) = std::sync::mpsc::channel();
    let answer = reader
        .enqueue(move |tx| {
            started.send(()).unwrap();
            let count: i64 = tx.prepare(ENDLESS)?.query_row([], |row| row.get(0))?;
            Ok(count)
        })
        .unwrap();
    running.recv().unwrap();
    store.close();
    assert!(answer.blocking_recv().unwrap().is_err());
    assert_eq!(reader.read_blocking(|_| Ok(())).unwrap_err().code(), Code::ShuttingDown);
}

#[test]
fn a_read_that_holds_its_snapshot_for_too_long_is_stopped() {
    let connection = Connection::open_in_memory().unwrap();
    let watch = ReadWatch { slots: vec![Slot::of(&connection)].into() };
    watch.slots[0].set(Some(Instant::now()));
    // Young enough: no interrupt is sent, and the statement runs to its end.
    let mut statement = connection.prepare("SELECT 1 UNION ALL SELECT 2").unwrap();
    let mut rows = statement.query([]).unwrap();
    rows.next().unwrap();
    watch.interrupt_long_reads();
    assert!(rows.next().unwrap().is_some());
    drop(rows);
    let mut rows = statement.query([]).unwrap();
    rows.next().unwrap();
    watch.interrupt_older_than(Duration::ZERO);
    let stopped = StoreError::from(rows.next().map(drop).unwrap_err());
    assert_eq!(stopped.code(), Code::Overloaded);
}

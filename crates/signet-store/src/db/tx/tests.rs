use rusqlite::Connection;

use super::*;
use crate::testing::{TestClock, seeded_ids};

#[test]
fn nothing_runs_after_sqlite_ended_the_transaction() {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE TABLE t (a);
             CREATE TRIGGER ends BEFORE INSERT ON t WHEN new.a = 1 BEGIN SELECT RAISE(ROLLBACK, 'as a full disk does'); END;
             BEGIN; INSERT INTO t VALUES (0);",
        )
        .unwrap();
    let ids = seeded_ids(&TestClock::new(), 1);
    let tx = WriteTx::new(&connection, &ids);
    tx.check_open().unwrap();
    let ending = tx.execute("INSERT INTO t VALUES (1)", []).unwrap_err();
    let after = tx.execute("INSERT INTO t VALUES (2)", []).unwrap_err();
    assert!(matches!(after, StoreError::Ended(code) if code == ending.code()), "{after}");
    let left: i64 = connection.query_row("SELECT COUNT(*) FROM t", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

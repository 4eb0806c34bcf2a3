use rusqlite::Connection;

use super::*;
use crate::db::inspect::{FileState, inspect};
use crate::fault::Action;
use crate::testing::{TestClock, TestStore, dump, seeded_ids};
use crate::{OpenOptions, Store, private};

const FIRST: Migration = Migration {
    version: 7,
    name: "first",
    sql: "CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
          CREATE TABLE child (parent INTEGER REFERENCES parent (id)) STRICT;",
};

struct Bench {
    connection: Connection,
    path: std::path::PathBuf,
    ids: Ids,
    faults: Faults,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memories.db");
        private::file(&path).unwrap();
        let (connection, _) = crate::db::pragma::writable(&path, crate::db::pragma::Journal::Wal).unwrap();
        let ids = seeded_ids(&TestClock::new(), 1);
        Self { connection, path, ids, faults: Faults::default(), _folder: folder }
    }

    fn run(&self, list: &[Migration]) -> Result<()> {
        let Self { connection, path, ids, faults, .. } = self;
        Runner { connection, path, ids, faults }.run(list)
    }

    fn outcomes(&self) -> Vec<(i64, String)> {
        let mut statement = self
            .connection
            .prepare("SELECT version, outcome FROM schema_migrations_audit ORDER BY id")
            .unwrap();
        statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(|row| row.unwrap())
            .collect()
    }
}

#[test]
fn versions_have_no_gap_and_no_duplicate() {
    for pair in MIGRATIONS.windows(2) {
        assert_eq!(pair[0].version + 1, pair[1].version);
    }
    assert_eq!(MIGRATIONS[0].version, 148);
}

#[test]
fn the_checksum_is_that_of_the_exact_text() {
    let one = Migration { version: 1, name: "x", sql: "abc" };
    assert_eq!(one.checksum(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn each_migration_is_recorded_with_its_outcome() {
    let bench = Bench::new();
    bench.run(&[FIRST]).unwrap();
    let second = Migration { version: 8, name: "second", sql: "INSERT INTO parent VALUES (1);" };
    bench.run(&[FIRST, second]).unwrap();
    bench.run(&[FIRST, second]).unwrap();
    assert_eq!(bench.outcomes(), [(7, "applied".to_owned()), (8, "applied".to_owned())]);
    let entry = |m: Migration| Entry { version: m.version, name: m.name.to_owned(), checksum: m.checksum() };
    assert_eq!(ledger::list_applied(&bench.connection).unwrap(), [entry(FIRST), entry(second)]);
    assert_eq!(inspect(&bench.path, &[FIRST, second]).unwrap(), FileState::Current);
}

#[test]
fn a_failure_at_any_statement_leaves_schema_and_version_as_before() {
    let statements = [
        "CREATE TABLE x (a)",
        "INSERT INTO parent VALUES (9)",
        "DROP TABLE child",
        "CREATE INDEX i ON x (a)",
    ];
    for broken_at in 0..=statements.len() {
        let bench = Bench::new();
        bench.run(&[FIRST]).unwrap();
        let before = dump::dump(&bench.connection, &["schema_migrations_audit"]);
        let mut text = statements.map(str::to_owned).to_vec();
        text.insert(broken_at, "SELECT no_such_function()".to_owned());
        let bad = Migration { version: 8, name: "bad", sql: text.join(";\n").leak() };
        let failure = bench.run(&[FIRST, bad]).unwrap_err();
        assert!(failure.to_string().contains("migration 8_bad failed"), "{failure}");
        assert_eq!(dump::dump(&bench.connection, &["schema_migrations_audit"]), before);
        assert_eq!(bench.outcomes(), [(7, "applied".to_owned()), (8, "failed".to_owned())]);
        assert_eq!(inspect(&bench.path, &[FIRST, bad]).unwrap(), FileState::Behind { version: 7 });
    }
}

#[test]
fn a_migration_that_leaves_a_broken_reference_fails() {
    let bench = Bench::new();
    let orphan = Migration { version: 8, name: "orphan", sql: "INSERT INTO child VALUES (404);" };
    let failure = bench.run(&[FIRST, orphan]).unwrap_err();
    assert!(failure.to_string().contains("migration 8_orphan failed"), "{failure}");
    let on: i64 = bench.connection.query_row("PRAGMA foreign_keys", [], |row| row.get(0)).unwrap();
    assert_eq!(on, 1);
}

#[test]
fn a_fault_in_a_migration_is_audited_and_a_full_disk_stays_a_full_disk() {
    let bench = Bench::new();
    bench.faults.arm(Point::InMigration, Action::DiskFull, 0);
    assert_eq!(bench.run(&[FIRST]).unwrap_err().code(), Code::DiskFull);
    assert_eq!(bench.outcomes(), [(7, "failed".to_owned())]);
    bench.run(&[FIRST]).unwrap();
    assert_eq!(bench.outcomes(), [(7, "failed".to_owned()), (7, "applied".to_owned())]);
}

const LATER: &[Migration] =
    &[MIGRATIONS[0], Migration { version: 149, name: "later", sql: "CREATE TABLE later (a TEXT) STRICT;" }];

fn with_later(store: &TestStore) -> OpenOptions {
    let mut options = store.options();
    options.migrations = LATER;
    options
}

#[test]
fn an_existing_file_is_backed_up_before_it_is_migrated() {
    let mut store = TestStore::new();
    let before = store.dump();
    store.close();
    let clock_at = store.clock.clone();
    drop(Store::open(&with_later(&store)).unwrap());
    let millis = signet_model::Clock::now(&clock_at).millis();
    let backup = store.workspace().join(format!("memory/memories.db.bak-v148-{millis}"));
    let kept = Connection::open(&backup).unwrap();
    let stopped = before.replace("running", "stopped");
    assert_eq!(dump::dump(&kept, &[]), stopped);
    assert_eq!(store.number("SELECT COUNT(*) FROM later"), 0);
    assert_eq!(store.number("PRAGMA user_version"), 149);
}

#[test]
fn a_new_file_is_not_backed_up() {
    let store = TestStore::new();
    let backups = crate::db::backup::list_migration_backups(&store.database()).unwrap();
    assert_eq!(backups, Vec::<std::path::PathBuf>::new());
    assert_eq!(store.number("SELECT COUNT(*) FROM schema_migrations"), 1);
}

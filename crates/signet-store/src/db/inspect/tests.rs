use std::path::PathBuf;

use super::*;
use crate::Store;
use crate::db::migrate::MIGRATIONS;
use crate::testing::TestStore;

/// Changes a closed database with `sql`, then expects the store to refuse it and to leave it as it was.
fn refused(sql: &str) -> (String, String) {
    let mut store = TestStore::new();
    store.close();
    let raw = store.raw();
    raw.execute_batch(sql).unwrap();
    raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(raw);
    untouched_refusal(&store)
}

fn untouched_refusal(store: &TestStore) -> (String, String) {
    let before = files(store);
    let failure = Store::open(&store.options()).expect_err("the file must be refused");
    assert_eq!(files(store), before);
    match failure {
        StoreError::Unusable { reason, hint, path } => {
            assert_eq!(PathBuf::from(path), store.database());
            (reason, hint)
        }
        other => panic!("{other}"),
    }
}

/// Bytes of every file in `memory/` that holds data.
fn files(store: &TestStore) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(store.workspace().join("memory"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        // An empty log and its index come and go with whoever looks at the file.
        .filter(|(path, bytes)| !bytes.is_empty() && !path.to_string_lossy().ends_with("-shm"))
        .collect();
    files.sort();
    files
}

#[test]
fn a_changed_baseline_is_another_unreleased_build() {
    let (reason, hint) = refused("UPDATE schema_migrations SET checksum = replace(checksum, '0', '1')");
    assert!(reason.contains("another unreleased build"), "{reason}");
    assert!(hint.contains("signet export"), "{hint}");
}

#[test]
fn a_changed_later_migration_is_named() {
    let later = Migration { version: 149, name: "later", sql: "SELECT 1;" };
    let entry = |m: &Migration, checksum: &str| Entry {
        version: m.version,
        name: m.name.to_owned(),
        checksum: checksum.to_owned(),
    };
    let applied = [entry(&MIGRATIONS[0], &MIGRATIONS[0].checksum()), entry(&later, "00")];
    let refusal = Refusal { path: Path::new("x.db"), role: Role::Database };
    let failure = refusal.check_record(&applied, 149, &[MIGRATIONS[0], later]).unwrap_err();
    assert!(failure.to_string().contains("149_later is not the text"), "{failure}");
}

#[test]
fn a_newer_database_is_refused() {
    let (reason, hint) = refused(
        "INSERT INTO schema_migrations VALUES (150, 'future', 'x', '2030-01-01T00:00:00.000Z'); PRAGMA user_version=150;",
    );
    assert_eq!(reason, "its schema has version 150, and this build knows up to 148");
    assert!(hint.contains("newer build"), "{hint}");
}

#[test]
fn a_missing_declared_object_is_named() {
    for (sql, name) in [
        ("DROP INDEX ix_memories_hash", "index ix_memories_hash"),
        ("DROP TABLE purge_receipts", "table purge_receipts"),
        ("DROP TRIGGER memories_bd", "trigger memories_bd"),
    ] {
        assert_eq!(refused(sql).0, format!("{name} is missing, although its migration is recorded"));
    }
}

#[test]
fn a_phantom_version_is_refused() {
    let (reason, _) = refused("DELETE FROM schema_migrations");
    assert_eq!(reason, "it says version 148, but its record ends at 0");
    let (reason, _) = refused("DROP TABLE schema_migrations");
    assert_eq!(reason, "its record of migrations is missing");
}

#[test]
fn files_of_other_programs_are_refused() {
    let (reason, hint) = refused("PRAGMA application_id=0x47504B47");
    assert_eq!(reason, "it belongs to another program (application id 0x47504b47)");
    assert!(hint.contains("left untouched"), "{hint}");
    let (reason, _) = refused("PRAGMA application_id=0");
    assert!(reason.starts_with("it was made by another program"), "{reason}");
}

#[test]
fn a_file_without_memories_is_somebody_elses_too() {
    let mut store = TestStore::new();
    store.close();
    std::fs::remove_file(store.database()).unwrap();
    Connection::open(store.database()).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert_eq!(untouched_refusal(&store).0, "it belongs to another program");
}

#[test]
fn what_is_no_database_is_refused_and_an_empty_file_is_filled() {
    let mut store = TestStore::new();
    store.close();
    std::fs::write(store.database(), "x".repeat(5_000)).unwrap();
    let (reason, hint) = untouched_refusal(&store);
    assert!(reason.starts_with("it is not a database"), "{reason}");
    assert!(hint.contains("signet restore"), "{hint}");
    std::fs::write(store.database(), "").unwrap();
    store.reopen();
    assert_eq!(store.number("PRAGMA user_version"), 148);
}

#[test]
fn a_rollback_journal_left_by_a_killed_writer_is_put_back_before_the_look() {
    const ROWS: &str = "SELECT COUNT(*) FROM daemon_meta WHERE key LIKE 'row %'";
    let mut store = TestStore::new();
    store.close();
    let raw = store.raw();
    // A cache of a few pages makes an open transaction write into the file, which is then half new.
    raw.execute_batch("PRAGMA journal_mode=TRUNCATE; PRAGMA cache_size=5; PRAGMA synchronous=FULL;").unwrap();
    raw.execute_batch("BEGIN; UPDATE schema_migrations SET checksum = 'half';").unwrap();
    for n in 0..300 {
        let value = format!("\"{}\"", "x".repeat(3_000));
        raw.execute("INSERT INTO daemon_meta VALUES (?1, ?2)", [format!("row {n}"), value]).unwrap();
    }
    let workspace = tempfile::tempdir().unwrap();
    std::fs::create_dir(workspace.path().join("memory")).unwrap();
    for part in ["", "-journal"] {
        let name = beside(Path::new("memories.db"), part);
        let from = store.workspace().join("memory").join(&name);
        assert!(from.metadata().unwrap().len() > 0, "{part}");
        std::fs::copy(from, workspace.path().join("memory").join(&name)).unwrap();
    }
    let mut options = store.options();
    options.workspace = workspace.path().to_owned();
    let opened = Store::open(&options).unwrap();
    let rows: i64 =
        opened.reader().read_blocking(|tx| Ok(tx.prepare(ROWS)?.query_row([], |row| row.get(0))?)).unwrap();
    assert_eq!(rows, 0);
}

#[test]
fn a_folder_under_the_name_of_the_database_is_refused_as_one() {
    let workspace = tempfile::tempdir().unwrap();
    match inspect(workspace.path(), MIGRATIONS) {
        Err(StoreError::Unusable { reason, hint, .. }) => assert_eq!(
            (reason.as_str(), hint.as_str()),
            (
                "it is a folder, not a database file",
                "move the folder away; a new database is made in its place"
            )
        ),
        other => panic!("{other:?}"),
    }
}

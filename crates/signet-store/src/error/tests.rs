use super::*;

fn sqlite(extended_code: i32) -> StoreError {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(extended_code), None).into()
}

#[test]
fn each_failure_has_the_code_a_caller_can_act_on() {
    let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
    let table = [
        (sqlite(rusqlite::ffi::SQLITE_FULL), Code::DiskFull),
        (StoreError::Io { path: "x".to_owned(), source: full }, Code::DiskFull),
        (sqlite(rusqlite::ffi::SQLITE_CORRUPT), Code::StorageUnavailable),
        (sqlite(rusqlite::ffi::SQLITE_NOTADB), Code::StorageUnavailable),
        (sqlite(rusqlite::ffi::SQLITE_CORRUPT_VTAB), Code::Corrupt),
        (sqlite(rusqlite::ffi::SQLITE_IOERR_SHMSIZE), Code::DiskFull),
        (sqlite(rusqlite::ffi::SQLITE_READONLY), Code::StorageUnavailable),
        (sqlite(rusqlite::ffi::SQLITE_CANTOPEN), Code::StorageUnavailable),
        (sqlite(rusqlite::ffi::SQLITE_IOERR_READ), Code::StorageUnavailable),
        (sqlite(rusqlite::ffi::SQLITE_BUSY), Code::Overloaded),
        (sqlite(rusqlite::ffi::SQLITE_CONSTRAINT), Code::Internal),
        (StoreError::Overloaded, Code::Overloaded),
        (StoreError::Closed, Code::ShuttingDown),
        (StoreError::Locked(Holder::default()), Code::AlreadyRunning),
    ];
    for (failure, code) in table {
        assert_eq!(failure.code(), code, "{failure}");
        assert_eq!(Error::from(failure).code, code);
    }
}

#[test]
fn internal_causes_stay_out_of_the_sentence() {
    let told = Error::from(sqlite(rusqlite::ffi::SQLITE_FULL));
    assert_eq!(told.message, "the disk is full; nothing was stored");
    assert_eq!(told.hint.as_deref(), Some("free space, then try again"));
    assert!(told.internal.is_some_and(|cause| cause.starts_with("database: ")));
}

#[test]
fn a_refusal_of_the_domain_passes_through_unchanged() {
    let error = Error::field("content", "content is empty");
    assert_eq!(Error::from(StoreError::from(error.clone())), error);
}

#[test]
fn a_panic_is_told_as_a_bug_and_logged_with_its_message() {
    let panic = std::panic::catch_unwind(|| panic!("row {}", 7)).unwrap_err();
    let told = Error::from(StoreError::panicked(&*panic));
    assert_eq!(told.code, Code::Internal);
    assert_eq!(told.internal.as_deref(), Some("a store closure panicked: row 7"));
}

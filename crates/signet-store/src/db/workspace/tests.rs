use super::*;

#[test]
fn a_plain_folder_gets_its_sub_folders_and_no_warning() {
    let root = tempfile::tempdir().unwrap();
    let workspace = root.path().join("a b/ü 名");
    let report = prepare(&workspace).unwrap();
    assert_eq!(report.journal, Journal::Wal);
    assert_eq!(report.warnings, Vec::<String>::new());
    for folder in ["memory", "files", ".daemon"] {
        assert!(workspace.join(folder).is_dir(), "{folder}");
    }
    assert_eq!(report.free_bytes.is_some(), cfg!(unix));
}

#[test]
fn a_synced_folder_gets_the_safe_journal_and_conflict_copies_are_named() {
    let root = tempfile::tempdir().unwrap();
    let workspace = root.path().join("Dropbox").join("agents");
    prepare(&workspace).unwrap();
    let copy = workspace.join("memory").join("memories (1).db");
    std::fs::write(&copy, "kept").unwrap();
    let report = prepare(&workspace).unwrap();
    assert_eq!(report.journal, Journal::Rollback);
    assert_eq!(report.conflict_copies, std::slice::from_ref(&copy));
    assert_eq!(report.warnings.len(), 2);
    assert!(report.warnings[0].contains("Dropbox"));
    assert_eq!(std::fs::read_to_string(copy).unwrap(), "kept");
}

#[test]
fn a_network_file_system_is_named() {
    let place = Path::new("/home/ana/.agents");
    assert_eq!(unsafe_place(place, Some("ext4")), None);
    assert!(unsafe_place(place, Some("nfs4")).unwrap().contains("nfs4"));
}

#[cfg(unix)]
#[test]
fn loose_rights_are_tightened_and_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = tempfile::tempdir().unwrap();
    prepare(workspace.path()).unwrap();
    let database = workspace.path().join("memory/memories.db");
    std::fs::write(&database, "").unwrap();
    let loosen = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    loosen(&workspace.path().join("memory"), 0o777);
    loosen(&database, 0o666);
    let report = prepare(workspace.path()).unwrap();
    assert_eq!(report.tightened, [workspace.path().join("memory"), database]);
}

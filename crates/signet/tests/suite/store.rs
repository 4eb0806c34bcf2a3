//! The database from outside: backups, damage and restore.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde_json::Value;

use crate::support::{Home, TestDaemon};

const COUNT: usize = 24;

/// As many texts as fill a dozen pages of the file.
fn texts() -> Vec<String> {
    (0..COUNT)
        .map(|n| format!("Topic {n} begins here. {}", format!("Sentence of topic {n}. ").repeat(33)))
        .collect()
}

fn remember_all(daemon: &TestDaemon) -> Vec<String> {
    let id = |text: &String| daemon.json(&["remember", text])["id"].as_str().unwrap().to_owned();
    texts().iter().map(id).collect()
}

fn contents(daemon: &TestDaemon) -> Vec<String> {
    let listed = daemon.json(&["memory", "list"]);
    let memories = listed["memories"].as_array().unwrap().iter();
    let mut contents: Vec<String> = memories.map(|m| m["content"].as_str().unwrap().to_owned()).collect();
    contents.sort();
    contents
}

/// Overwrites the page of the database that holds the beginning of `text`.
fn break_page_of(database: &Path, text: &str) {
    const PAGE: usize = 4096;
    let bytes = std::fs::read(database).unwrap();
    let needle = &text.as_bytes()[..24];
    let at =
        bytes.windows(needle.len()).position(|window| window == needle).expect("the text is in the file");
    let mut file = std::fs::OpenOptions::new().write(true).open(database).unwrap();
    file.seek(SeekFrom::Start((at / PAGE * PAGE) as u64)).unwrap();
    file.write_all(&[0xA5; PAGE]).unwrap();
}

/// The home after a clean stop, with everything in the database file itself.
fn stopped(mut daemon: TestDaemon) -> Home {
    daemon.signal(rustix::process::Signal::TERM);
    assert_eq!(daemon.wait(), Some(0));
    daemon.into_home()
}

#[test]
fn a_backup_of_a_running_daemon_is_restored_elsewhere_with_the_same_memories() {
    let daemon = TestDaemon::start();
    remember_all(&daemon);
    let before = contents(&daemon);
    let made = daemon.json(&["backup"]);
    assert_eq!(made["memories"], COUNT);
    let file = made["path"].as_str().unwrap();
    assert_eq!(daemon.json(&["backup", "verify", file]), made);

    let elsewhere = Home::new();
    elsewhere.signet(&["--yes", "restore", file]).ok();
    assert_eq!(contents(&TestDaemon::start_in(elsewhere)), before);
}

#[test]
fn a_broken_backup_is_a_finding_and_is_not_restored() {
    let daemon = TestDaemon::start();
    remember_all(&daemon);
    let file = daemon.json(&["backup"])["path"].as_str().unwrap().to_owned();
    break_page_of(Path::new(&file), &texts()[0]);
    let verified = daemon.signet(&["backup", "verify", &file]);
    assert!(verified.code == 8 && verified.err.contains("does not verify"), "{verified:?}");
    let home = stopped(daemon);
    assert_eq!(home.signet(&["--yes", "restore", &file]).code, 1);
    assert_eq!(contents(&TestDaemon::start_in(home)).len(), COUNT);
}

#[test]
fn a_damaged_page_is_served_read_only_until_a_restore() {
    let daemon = TestDaemon::start();
    let ids = remember_all(&daemon);
    let backup = daemon.json(&["backup"])["path"].as_str().unwrap().to_owned();
    let home = stopped(daemon);
    let database = home.workspace().join("memory/memories.db");
    let home = TestDaemon::start_in(home).kill();
    break_page_of(&database, &texts()[0]);

    let daemon = TestDaemon::start_in(home);
    crate::support::until("the damage is known", || {
        (daemon.signet(&["remember", "Written while damaged."]).code != 0).then_some(())
    });
    let refused = daemon.signet(&["--json", "remember", "Written while damaged."]);
    let body: Value = serde_json::from_str(&refused.err).unwrap_or_else(|_| refused.json());
    assert_eq!(body["code"], "storage_unavailable", "{refused:?}");
    assert!(body["hint"].as_str().unwrap().contains("signet restore"), "{refused:?}");
    let last = daemon.json(&["memory", "show", ids.last().unwrap()]);
    assert!(last.to_string().contains("Topic 23 begins here."), "{last}");
    let status = daemon.signet(&["--json", "status"]);
    assert!(status.out.contains("damaged"), "{status:?}");

    let home = stopped(daemon);
    home.signet(&["--yes", "restore", &backup]).ok();
    let aside = database
        .parent()
        .unwrap()
        .read_dir()
        .unwrap()
        .any(|entry| entry.unwrap().file_name().to_string_lossy().starts_with("memories.db.damaged-"));
    assert!(aside, "the damaged file is kept");
    let daemon = TestDaemon::start_in(home);
    assert_eq!(contents(&daemon).len(), COUNT);
    daemon.signet(&["remember", "Written after the restore."]).ok();
}

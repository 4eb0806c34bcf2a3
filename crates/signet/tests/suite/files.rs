//! Rights of files, odd folders, and the files of setup.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{Home, TestDaemon, said};

/// Paths with more rights than their owner's.
fn loose(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(path) = waiting.pop() {
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        if metadata.permissions().mode() & 0o077 != 0 {
            found.push(path.display().to_string());
        }
        if metadata.is_dir() {
            waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found
}

#[test]
fn nothing_is_readable_by_others_whatever_the_umask() {
    let home = Home::bare();
    let script = r#"umask 000; "$0" --yes setup --embedding-provider none && "$0" daemon stop && "$0" doctor --offline"#;
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_signet")]);
    home.dress(&mut command);
    let run = said(&mut command);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(loose(&home.workspace()), Vec::<String>::new());
}

#[test]
fn doctor_names_loose_files_and_tightens_them_when_told() {
    let daemon = TestDaemon::start();
    let file = daemon.home.workspace().join("agent.yaml");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let found = daemon.signet(&["doctor"]);
    assert_eq!(found.code, 8, "{found:?}");
    assert!(found.out.starts_with("warn\trights\tothers may read or change "), "{found:?}");
    daemon.signet(&["doctor", "--fix"]);
    assert_eq!(loose(&daemon.home.workspace()), Vec::<String>::new());
}

#[test]
fn a_workspace_under_any_name_works() {
    let daemon = TestDaemon::start_in(Home::new().in_folder("a b/ü 名/it's \"here\""));
    assert_eq!(daemon.json(&["daemon", "status"])["state"], "running");
    let path = daemon.json(&["status"])["agentsDir"].clone();
    assert_eq!(path.as_str().map(Path::new), Some(daemon.home.workspace().as_path()));
}

#[test]
fn conflict_copies_are_named_and_left_alone() {
    let home = Home::new();
    home.write("memory/memories.sync-conflict-20260101-120000-ABC.db", "not ours");
    let daemon = TestDaemon::start_in(home);
    let found = daemon.signet(&["doctor"]);
    assert!(found.out.contains("conflict_copy") && found.code == 8, "{found:?}");
    assert!(daemon.home.workspace().join("memory/memories.sync-conflict-20260101-120000-ABC.db").exists());
}

#[test]
fn setup_writes_what_is_missing_once_and_nothing_on_a_dry_run() {
    let home = Home::bare();
    std::fs::create_dir_all(home.workspace().join(".git")).unwrap();
    home.write("SOUL.md", "mine");
    let names = || {
        let mut names: Vec<String> = home
            .workspace()
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let dry = home.signet(&["setup", "--dry-run", "--name", "ada"]);
    assert!(dry.ok().contains("+  name: \"ada\""), "{dry:?}");
    assert_eq!(names(), [".git", "SOUL.md"]);
    let first = home.signet(&["--json", "setup", "--no-start", "--name", "ada"]).json();
    assert_eq!(first["written"].as_array().unwrap().len(), 5, "{first}");
    assert_eq!(
        names(),
        [".git", ".gitignore", "AGENTS.md", "IDENTITY.md", "SOUL.md", "USER.md", "agent.yaml"]
    );
    assert_eq!(std::fs::read_to_string(home.workspace().join("SOUL.md")).unwrap(), "mine");
    let second = home.signet(&["--json", "setup", "--no-start", "--name", "bob"]).json();
    assert_eq!(
        (second["written"].as_array().unwrap().len(), second["kept"].as_array().unwrap().len()),
        (0, 6)
    );
}

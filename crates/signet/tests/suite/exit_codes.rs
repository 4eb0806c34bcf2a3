//! One test a row of the table of exit codes.

use crate::support::{Home, TestDaemon, os};

#[test]
fn success_is_0() {
    assert_eq!(Home::new().signet(&["--version"]).code, 0);
}

#[test]
fn wrong_usage_is_2_and_json_when_asked() {
    let home = Home::new();
    let unknown = home.signet(&["--json", "remembr", "x"]);
    assert_eq!((unknown.code, unknown.json()["code"].as_str()), (2, Some("invalid_request")));
    let human = home.signet(&["remembr", "x"]);
    assert!(human.code == 2 && human.err.contains("remember") && human.out.is_empty(), "{human:?}");
    assert_eq!(home.signet(&["--timeout", "soon", "status"]).code, 2);
}

#[test]
fn old_names_are_2_and_say_what_to_use() {
    let home = Home::new();
    for (name, instead) in
        [("secret", "env:NAME"), ("git", "git yourself"), ("forget", "signet memory forget")]
    {
        let said = home.signet(&[name]);
        assert!(said.code == 2 && said.err.contains(instead), "{said:?}");
    }
}

#[test]
fn old_flags_of_setup_are_2_and_say_what_to_use() {
    let home = Home::new();
    for (flag, instead) in [
        ("--extraction-model", "not part of Signet yet"),
        ("--search-balance", "search.alpha"),
        ("--skip-git", ".gitignore"),
    ] {
        let said = home.signet(&["setup", flag, "x"]);
        assert!(said.code == 2 && said.err.contains(instead), "{said:?}");
    }
}

#[test]
fn arguments_that_are_no_text_are_2_and_named() {
    let home = Home::new();
    let mut command = home.command(&["remember"]);
    command.arg(os(b"caf\xe9"));
    let said = crate::support::said(&mut command);
    assert!(said.code == 2 && said.err.contains("argument 2 is not UTF-8"), "{said:?}");
}

#[test]
fn a_confirmation_without_a_terminal_is_2() {
    let daemon = TestDaemon::start();
    let said = daemon.signet(&["agent", "remove", "default"]);
    assert!(said.code == 2 && said.err.contains("--yes"), "{said:?}");
}

#[test]
fn a_bad_credential_in_team_mode_is_3() {
    let home = Home::bare().with("SIGNET_TOKEN", "not.a-token");
    home.write("agent.yaml", "auth:\n  mode: team\nembedding:\n  provider: none\n");
    let daemon = TestDaemon::start_in(home);
    assert_eq!(daemon.signet(&["status"]).code, 3);
}

#[test]
fn something_that_is_not_there_is_4() {
    let daemon = TestDaemon::start();
    let said = daemon.signet(&["agent", "show", "nobody"]);
    assert_eq!(said.code, 4);
    assert_eq!(said.err, "error: there is no agent `nobody`\nhint: `signet agent list` shows them\n");
}

#[test]
fn a_conflict_is_5() {
    let daemon = TestDaemon::start();
    daemon.signet(&["agent", "add", "ada"]).ok();
    assert_eq!(daemon.signet(&["agent", "add", "ada"]).code, 5);
}

#[test]
fn an_offline_command_beside_a_daemon_is_5_and_names_it() {
    let mut daemon = TestDaemon::start();
    daemon.signal(rustix::process::Signal::TERM);
    daemon.wait();
    let home = daemon.into_home();
    let database = home.workspace().join("memory/memories.db");
    let backup = home.path().join("backup.db");
    std::fs::copy(database, &backup).unwrap();
    let daemon = TestDaemon::start_in(home);
    let said = daemon.signet(&["--yes", "restore", backup.to_str().unwrap()]);
    assert!(said.code == 5 && said.err.contains(&format!("process {}", daemon.pid())), "{said:?}");
}

#[test]
fn a_stopped_daemon_is_7() {
    assert_eq!(Home::new().signet(&["status"]).code, 7);
}

#[test]
fn looking_at_the_status_of_an_untouched_machine_leaves_it_untouched() {
    let home = Home::bare();
    // With the daemon allowed to start.
    let said = crate::support::said(&mut home.command(&["status"]));
    assert!(said.code == 7 && said.err.contains("no workspace yet") && said.err.contains("signet setup"));
    assert!(!home.workspace().exists() && home.left_running().is_empty());
}

#[test]
fn findings_are_8() {
    let home = Home::bare();
    home.write("agent.yaml", "search:\n  alpha: 2\n");
    assert_eq!(home.signet(&["config", "check"]).code, 8);
    assert_eq!(home.signet(&["doctor"]).code, 8);
}

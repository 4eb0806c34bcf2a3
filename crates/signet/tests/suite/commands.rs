//! Output of commands in both forms.

use std::process::{Command, Stdio};

use crate::support::{TestDaemon, stable};

#[test]
fn whoami_and_agents_in_both_forms() {
    let daemon = TestDaemon::start();
    daemon.signet(&["agent", "add", "ada", "--memory", "group", "--group", "team"]).ok();
    let listed = daemon.signet(&["agent", "list"]);
    let rows: Vec<Vec<&str>> = listed.ok().lines().map(|line| line.split('\t').take(3).collect()).collect();
    assert!(rows.contains(&vec!["ada", "group", "team"]), "{rows:?}");
    assert_eq!(daemon.json(&["agent", "show", "ada"])["policy_group"], "team");
    let whoami = daemon.signet(&["token", "whoami"]);
    insta::assert_snapshot!("whoami", stable(whoami.ok(), &daemon.home));
}

#[test]
fn a_token_is_shown_once_and_revoked_at_once() {
    let daemon = TestDaemon::start();
    let made = daemon.json(&[
        "token",
        "create",
        "--role",
        "readonly",
        "--scope",
        "agent=default",
        "--ttl",
        "1h",
        "--name",
        "t",
    ]);
    let jti = made["jti"].as_str().unwrap().to_owned();
    let listed = daemon.signet(&["token", "list"]);
    assert!(
        listed.ok().contains(&jti) && !listed.out.contains(made["token"].as_str().unwrap()),
        "{listed:?}"
    );
    daemon.signet(&["token", "revoke", &jti]).ok();
    assert!(daemon.signet(&["token", "list"]).ok().trim_end().ends_with("revoked"));
}

#[test]
fn api_keys_in_both_forms() {
    let daemon = TestDaemon::start();
    let made = daemon.signet(&["api-key", "create", "--name", "bot", "--role", "readonly"]);
    assert!(made.ok().starts_with("sig_sk_") && made.err.contains("this once"), "{made:?}");
    let json = daemon.json(&["api-key", "list"]);
    let id = json["apiKeys"][0]["id"].as_str().unwrap().to_owned();
    daemon.signet(&["api-key", "revoke", &id]).ok();
    assert!(daemon.signet(&["api-key", "list"]).ok().trim_end().ends_with("revoked"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let daemon = TestDaemon::start();
    let script = r#""$0" config schema | head -n 1; exit "${PIPESTATUS[0]}""#;
    let mut command = Command::new("bash");
    command.args(["-c", script, env!("CARGO_BIN_EXE_signet")]).stdout(Stdio::piped());
    daemon.home.dress(&mut command);
    let said = crate::support::said(&mut command);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{said:?}");
}

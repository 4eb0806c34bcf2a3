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
fn a_restriction_to_the_project_here_names_its_folder() {
    let daemon = TestDaemon::start();
    let here = std::fs::canonicalize(daemon.home.path()).unwrap().display().to_string();
    daemon.signet(&["token", "create", "--scope", "project=.", "--name", "t"]).ok();
    let tokens = daemon.json(&["token", "list"])["tokens"].to_string();
    assert!(tokens.contains(&here), "{tokens}");
    let restricted = daemon.signet(&["api-key", "create", "--name", "bot", "--project", "."]);
    assert!(restricted.code == 0 && !restricted.err.contains("not restricted"), "{restricted:?}");
    let keys = daemon.json(&["api-key", "list"])["apiKeys"].to_string();
    assert!(keys.contains(&here), "{keys}");
    let free = daemon.signet(&["api-key", "create", "--name", "free"]);
    assert!(free.code == 0 && free.err.contains("not restricted"), "{free:?}");
}

#[test]
fn standard_output_of_every_command_is_json_when_asked_also_on_failures() {
    let daemon = TestDaemon::start();
    let id = daemon.json(&["remember", "one row"])["id"].as_str().unwrap().to_owned();
    let backup = daemon.home.path().join("b.db");
    let commands: Vec<Vec<&str>> = vec![
        vec!["remember", ""],
        vec!["recall", "row"],
        vec!["recall", "--explain", "row"],
        vec!["memory", "show", &id],
        vec!["memory", "show", "nothing-like-this"],
        vec!["memory", "list"],
        vec!["memory", "list", "--review-due"],
        vec!["memory", "edit", &id, "--pin", "--reason", "test"],
        vec!["memory", "history", &id],
        vec!["memory", "similar", &id],
        vec!["memory", "recover", &id],
        vec!["memory", "forget", &id],
        vec!["memory", "forget", "--force", &id],
        vec!["receipt", "list"],
        vec!["receipt", "show", "nothing-like-this"],
        vec!["status"],
        vec!["doctor"],
        vec!["daemon", "status"],
        vec!["daemon", "start"],
        vec!["config", "check"],
        vec!["config", "show"],
        vec!["config", "get", "search.alpha"],
        vec!["config", "get", "nothing.like.this"],
        vec!["config", "schema"],
        vec!["agent", "list"],
        vec!["agent", "show", "default"],
        vec!["agent", "remove", "default"],
        vec!["token", "list"],
        vec!["token", "whoami"],
        vec!["token", "revoke", "nothing-like-this"],
        vec!["api-key", "list"],
        vec!["api-key", "revoke", "nothing-like-this"],
        vec!["backup", "-o", backup.to_str().unwrap()],
        vec!["restore", "/nothing/like/this"],
        vec!["rebuild"],
        vec!["setup", "--dry-run"],
        vec!["no-such-command"],
        vec!["--version"],
    ];
    for args in commands {
        let mut args = args;
        args.insert(0, "--json");
        let said = daemon.signet(&args);
        let parsed = serde_json::from_str::<serde_json::Value>(&said.out);
        assert!(parsed.is_ok(), "{args:?}: {said:?}");
        let failed = !matches!(said.code, 0 | 8);
        assert_eq!(parsed.unwrap().get("error").is_some(), failed, "{args:?}: {said:?}");
    }
}

#[test]
fn a_daemon_without_configured_models_opens_no_connection() {
    let daemon = TestDaemon::start_in(crate::support::Home::bare());
    daemon.signet(&["remember", "We deploy to production on Friday afternoons."]).ok();
    daemon.signet(&["recall", "when do we release?"]).ok();
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{}/fd", daemon.pid()))
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok()?.to_str().map(str::to_owned))
        .filter_map(|target| Some(target.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    assert!(!sockets.is_empty());
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let table = std::fs::read_to_string(table).unwrap_or_default();
        let rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
        for row in rows.filter(|row| sockets.iter().any(|inode| row[9] == inode)) {
            let away = !(row[2].starts_with("0100007F") || row[2].starts_with("00000000"));
            assert!(!away, "{row:?}");
        }
    }
}

#[test]
fn the_store_does_not_depend_on_the_current_folder() {
    let daemon = TestDaemon::start();
    let said = crate::support::said(daemon.home.command(&["status"]).current_dir("/"));
    let line = format!("{} (SIGNET_WORKSPACE)", daemon.home.workspace().display());
    assert!(said.ok().contains(&line), "{said:?}");
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

//! Configurations that are refused, and that a refusal leaves nothing behind.

use std::collections::BTreeSet;

use crate::support::{Home, TestDaemon, until};

#[test]
fn a_bad_file_stops_the_start_with_every_problem_and_leaves_nothing() {
    let home = Home::bare();
    home.write("agent.yaml", "embeddings:\n  model: x\nsearch:\n  alpa: 0.5\n  top_k: 500\n");
    let refused = home.signet(&["daemon", "run"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    for part in [
        "agent.yaml:1:1: `embeddings` is retired; use `embedding`",
        "did you mean `search.alpha`?",
        "in the range 1 to 200, not 500",
    ] {
        assert!(refused.err.contains(part), "{part}: {refused:?}");
    }
    let names: Vec<_> =
        home.workspace().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["agent.yaml"]);
    let started = home.signet(&["--json", "daemon", "start"]);
    assert_eq!((started.code, started.json()["code"].as_str()), (2, Some("invalid_request")));
}

#[test]
fn a_file_that_leads_nowhere_stops_the_start_and_changes_nothing_while_it_runs() {
    let daemon = TestDaemon::start();
    let file = daemon.home.workspace().join("agent.yaml");
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/nowhere/agent.yaml", &file).unwrap();
    daemon.signal(rustix::process::Signal::HUP);
    let config = until("the error in status", || {
        Some(daemon.json(&["status"])["config"].clone()).filter(|config| config["ok"] == false)
    });
    assert!(config.to_string().contains("leads nowhere"), "{config}");
    assert!(daemon.json(&["status"])["embedding"]["provider"].is_null());
    let refused = daemon.kill().signet(&["daemon", "run"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("agent.yaml: is a symbolic link that leads nowhere"), "{refused:?}");
}

#[test]
fn check_lists_findings_with_their_lines() {
    let home = Home::bare();
    assert_eq!(home.signet(&["config", "check"]).ok(), "ok no file; all defaults\n");
    home.write("agent.yaml", "memory:\n  pipelineV2:\n    workerPollMs: 500\ninstall: yes\n");
    let found = home.signet(&["config", "check"]);
    assert_eq!(found.code, 8);
    let lines: Vec<&str> = found.out.lines().collect();
    assert!(
        lines[0].starts_with("warning ")
            && lines[0].contains("agent.yaml:3:5: ")
            && lines[1].starts_with("ignored "),
        "{found:?}"
    );
    let json = home.signet(&["--json", "config", "check"]).json();
    assert_eq!((json["ok"].as_bool(), json["issues"][0]["line"].as_u64()), (Some(true), Some(3)));
}

#[test]
fn show_tells_where_values_come_from_and_never_a_secret() {
    let home = Home::bare().with("SIGNET_PORT", "4001");
    home.write(
        "agent.yaml",
        "embedding:\n  provider: openai\n  model: m\n  dimensions: 8\n  api_key: sk-very-secret\n",
    );
    let shown = home.signet(&["config", "show", "--origin"]);
    let line =
        |key: &str| shown.ok().lines().find(|line| line.starts_with(&format!("{key}\t"))).unwrap().to_owned();
    assert_eq!(line("network.port"), "network.port\t4001\tenv");
    assert_eq!(line("embedding.model"), "embedding.model\tm\tfile line 3");
    assert_eq!(line("search.alpha"), "search.alpha\t0.7\tdefault");
    assert_eq!(line("embedding.api_key"), "embedding.api_key\t<redacted>\tfile line 5");
    assert!(!home.signet(&["--json", "config", "show"]).out.contains("sk-very-secret"));
    assert_eq!(home.signet(&["config", "get", "embedding.baseUrl"]).ok(), "none\n");
    let unknown = home.signet(&["config", "get", "embedding.modle"]);
    assert!(unknown.code == 4 && unknown.err.contains("`embedding.model`"), "{unknown:?}");
}

#[test]
fn a_bad_change_leaves_the_daemon_serving_and_a_good_one_heals() {
    let daemon = TestDaemon::start();
    let before = "embedding:\n  provider: none\n";
    let path = daemon.home.workspace().join("agent.yaml");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    daemon.home.write("agent.yaml", "embedding:\n  provider: magic\n");
    daemon.signal(rustix::process::Signal::HUP);
    let config = || daemon.json(&["status"])["config"].clone();
    until("a bad file in status", || (config()["ok"] == false).then_some(()));
    assert!(
        config()["errors"][0].as_str().unwrap().contains("agent.yaml:2:13: `embedding.provider`"),
        "{}",
        config()
    );
    daemon.home.write("agent.yaml", &format!("{before}network:\n  allowedHosts: [memory.local]\n"));
    until("a good file in status", || (config()["ok"] == true).then_some(()));
}

#[test]
fn only_known_files_appear_by_themselves() {
    let daemon = TestDaemon::start();
    let names: BTreeSet<String> = daemon
        .home
        .workspace()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = [".daemon", "agent.yaml", "files", "memory"].map(str::to_owned);
    assert_eq!(names, BTreeSet::from(expected));
}

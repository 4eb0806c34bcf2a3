//! Life of the daemon: one per workspace, started when needed, gone when told, back after a crash.

use std::process::Stdio;

use rustix::process::Signal;

use crate::support::{Home, TestDaemon, said, until};

#[test]
fn start_status_stop() {
    let home = Home::new();
    let started = said(&mut home.command(&["daemon", "start"]));
    assert!(started.ok().starts_with("● signet started: process "), "{started:?}");
    let again = said(&mut home.command(&["daemon", "start"]));
    assert!(again.ok().contains("already runs"), "{again:?}");
    let status = home.signet(&["--json", "daemon", "status"]).json();
    assert_eq!(
        (status["state"].as_str(), status["pid"].as_u64()),
        (Some("running"), home.lock().unwrap()["pid"].as_u64())
    );
    let stopped = home.signet(&["daemon", "stop"]);
    assert!(stopped.ok().starts_with("○ signet stopped"), "{stopped:?}");
    assert_eq!(home.left_running(), Vec::<u32>::new());
    assert_eq!(home.signet(&["--json", "daemon", "status"]).json()["state"], "stopped");
    assert_eq!(home.signet(&["daemon", "stop"]).ok(), "○ signet was not running\n");
}

#[test]
fn a_second_daemon_names_the_first_and_ends_well() {
    let daemon = TestDaemon::start();
    let second = daemon.signet(&["daemon", "run"]);
    let line = format!("signet already runs: process {} at {}, since ", daemon.pid(), daemon.url);
    assert!(second.ok().starts_with(&line) && second.out.lines().count() == 1, "{second:?}");
}

#[test]
fn a_command_never_reaches_the_daemon_of_another_workspace() {
    let theirs = TestDaemon::start();
    let port = theirs.url.rsplit_once(':').unwrap().1;
    let ours = Home::new().with("SIGNET_PORT", port);
    // A workspace that was used before has a secret of its own.
    ours.write(".daemon/auth-secret", &"s".repeat(32));
    for args in [&["remember", "kept apart"][..], &["status"], &["daemon", "status"]] {
        let refused = ours.signet(args);
        assert_eq!(refused.code, 7, "{refused:?}");
        for named in [theirs.home.workspace(), ours.workspace()] {
            assert!(refused.err.contains(named.to_str().unwrap()), "{refused:?}");
        }
        assert!(refused.err.contains("network.port") && refused.err.contains("SIGNET_PORT"), "{refused:?}");
    }
    assert_eq!(theirs.json(&["memory", "list"])["memories"].as_array().map(Vec::len), Some(0));
    // Who names the address means what runs there.
    let without_secret = Home::new();
    without_secret.signet(&["--url", &theirs.url, "remember", "meant for them"]).ok();
    assert_eq!(theirs.json(&["memory", "list"])["memories"].as_array().map(Vec::len), Some(1));
}

#[test]
fn five_at_once_are_one_daemon_and_four_lines() {
    let home = Home::new();
    let run =
        || home.command(&["daemon", "run"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut children: Vec<_> = (0..5).map(|_| run()).collect();
    until("four ends", || {
        (children
            .iter_mut()
            .map(std::process::Child::try_wait)
            .filter(|ended| matches!(ended, Ok(Some(_))))
            .count()
            == 4)
            .then_some(())
    });
    let mut serving = 0;
    for mut child in children {
        match child.try_wait().unwrap() {
            None => {
                serving += 1;
                child.kill().unwrap();
                child.wait().unwrap();
            }
            Some(status) => {
                let output = child.wait_with_output().unwrap();
                assert_eq!(status.code(), Some(0));
                assert!(String::from_utf8(output.stdout).unwrap().starts_with("signet already runs: "));
            }
        }
    }
    assert_eq!(serving, 1);
}

#[test]
fn a_killed_daemon_comes_back_at_once() {
    let home = TestDaemon::start().kill();
    let daemon = TestDaemon::start_in(home);
    assert_eq!(daemon.json(&["daemon", "status"])["state"], "running");
}

#[test]
fn a_lock_file_that_names_another_process_is_only_text() {
    let home = Home::new();
    home.write(
        ".daemon/daemon.lock",
        r#"{"pid":1,"url":"http://127.0.0.1:9","started_at":"2020-01-01T00:00:00.000Z"}"#,
    );
    assert_eq!(home.signet(&["daemon", "stop"]).ok(), "○ signet was not running\n");
    let daemon = TestDaemon::start_in(home);
    assert_eq!(daemon.home.lock().unwrap()["pid"], u64::from(daemon.pid()));
}

#[test]
fn a_signal_ends_it_well_and_the_log_says_so() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut daemon = TestDaemon::start();
        daemon.signal(signal);
        assert_eq!(daemon.wait(), Some(0));
        assert!(daemon.log().contains("\"message\":\"stopped\""), "{}", daemon.log());
    }
}

#[test]
fn a_command_starts_the_daemon_unless_it_was_stopped_or_forbidden() {
    let home = Home::new();
    let forbidden = home.signet(&["token", "whoami"]);
    assert_eq!(forbidden.code, 7, "{forbidden:?}");
    let started = said(&mut home.command(&["token", "whoami"]));
    assert!(
        started.ok().starts_with("you are") && started.err.starts_with("signet: started the daemon"),
        "{started:?}"
    );
    home.signet(&["daemon", "stop"]).ok();
    let stopped = said(&mut home.command(&["token", "whoami"]));
    assert_eq!(stopped.code, 7);
    assert!(stopped.err.contains("signet daemon start"), "{stopped:?}");
    said(&mut home.command(&["daemon", "start"])).ok();
    said(&mut home.command(&["token", "whoami"])).ok();
    home.signet(&["daemon", "stop"]).ok();
}

#[test]
fn two_commands_at_once_start_one_daemon() {
    let home = Home::new();
    let spawn =
        || home.command(&["token", "whoami"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..2).map(|_| spawn()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    until("one daemon", || (home.left_running().len() == 1).then_some(()));
    home.signet(&["daemon", "stop"]).ok();
}

#[test]
fn a_taken_port_is_named_with_its_owner_and_never_changed() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let home = Home::new().with("SIGNET_PORT", &port);
    let refused = home.signet(&["daemon", "run"]);
    assert_eq!(refused.code, 7, "{refused:?}");
    let sentence = format!("port {port} is in use by process {}", std::process::id());
    assert!(refused.err.contains(&sentence), "{refused:?}");
}

#[test]
fn the_log_is_read_when_the_daemon_is_down() {
    let mut daemon = TestDaemon::start();
    daemon.signal(Signal::TERM);
    daemon.wait();
    let home = daemon.into_home();
    let logs = home.signet(&["logs", "-n", "1"]);
    assert!(logs.ok().contains("INFO") && logs.out.trim_end().ends_with("stopped"), "{logs:?}");
    let json = home.signet(&["--jsonl", "logs", "-n", "1", "-l", "info", "-c", "signet::lifecycle"]).json();
    assert_eq!(json["message"], "stopped");
    assert_eq!(home.signet(&["logs", "-l", "error"]).ok(), "");
}

#[test]
fn a_start_that_fails_says_what_is_wrong_where_and_what_to_do() {
    type Spoil = fn(&Home);
    let cases: [(Spoil, &str, &str); 4] = [
        (
            |home| home.write(".daemon/auth-secret", "short"),
            "auth-secret: is not a secret of 32 bytes",
            "move it away",
        ),
        (
            |home| home.write(".daemon/daemon.lock/x", ""),
            "daemon.lock: a folder is in the place",
            "move the folder away",
        ),
        (
            |home| home.write("memory/memories.db/x", ""),
            "memories.db: it is a folder",
            "move the folder away",
        ),
        (
            |home| std::fs::write(home.workspace(), "").unwrap(),
            "a file is in the place of a folder",
            "--workspace",
        ),
    ];
    for (number, (spoil, what, remedy)) in cases.into_iter().enumerate() {
        let home = if number == 3 { Home::bare() } else { Home::new() };
        spoil(&home);
        for command in ["run", "start"] {
            let said = home.signet(&["daemon", command]);
            assert!(said.code != 0 && said.err.contains(what) && said.err.contains(remedy), "{said:?}");
            assert!(!said.err.contains("internal error"), "{said:?}");
        }
    }
}

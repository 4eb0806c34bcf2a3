//! What was acknowledged is there: after a kill, after a restore, under many writers at once.

use std::collections::BTreeSet;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use signet_client::{Client, Credential, Options};

use crate::support::{Home, TestDaemon};

fn client(url: &str) -> Client {
    let options = Options {
        url: url.to_owned(),
        credential: Credential::None,
        agent: None,
        timezone: None,
        timeout: Duration::from_secs(30),
    };
    Client::new(options).unwrap()
}

/// Writes from several tasks until the daemon is gone; the ids it acknowledged.
fn write_until_the_end(
    url: &str,
    writers: usize,
    daemon: TestDaemon,
    enough: usize,
) -> (BTreeSet<String>, Home) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (acknowledged, mut news) = tokio::sync::mpsc::unbounded_channel();
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..writers {
        let (client, acknowledged) = (client(url), acknowledged.clone());
        tasks.spawn_on(
            async move {
                for n in 0.. {
                    let body = json!({ "content": format!("sentence {n} of writer {writer}") });
                    let Ok(answer) = client.post("/api/memory/remember", &body).await else { return };
                    acknowledged.send(answer["id"].as_str().unwrap().to_owned()).unwrap();
                }
            },
            runtime.handle(),
        );
    }
    drop(acknowledged);
    runtime.block_on(async {
        let mut ids = BTreeSet::new();
        while ids.len() < enough {
            ids.insert(news.recv().await.unwrap());
        }
        let home = tokio::task::spawn_blocking(move || daemon.kill()).await.unwrap();
        while let Some(id) = news.recv().await {
            ids.insert(id);
        }
        tasks.join_all().await;
        (ids, home)
    })
}

fn stored(daemon: &TestDaemon) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    loop {
        let offset = ids.len().to_string();
        let page = daemon.json(&["memory", "list", "-l", "500", "--offset", &offset]);
        let rows = page["memories"].as_array().unwrap();
        ids.extend(rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()));
        if page["hasMore"] != true {
            return ids;
        }
    }
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let mut home = Home::new();
    let mut all = BTreeSet::new();
    for round in 1..=3 {
        let daemon = TestDaemon::start_in(home);
        let url = daemon.url.clone();
        let (ids, back) = write_until_the_end(&url, 8, daemon, 60 * round);
        all.extend(ids);
        home = back;
    }
    let daemon = TestDaemon::start_in(home);
    let stored = stored(&daemon);
    let lost: Vec<&String> = all.difference(&stored).collect();
    assert!(lost.is_empty() && all.len() >= 180, "{} lost of {}", lost.len(), all.len());
}

#[test]
fn a_thousand_writes_at_once_are_a_thousand_rows() {
    let daemon = TestDaemon::start();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..50 {
        let client = client(&daemon.url);
        tasks.spawn_on(
            async move {
                for n in 0..20 {
                    let body = json!({ "content": format!("row {n} of writer {writer}") });
                    client.post("/api/memory/remember", &body).await.unwrap();
                }
            },
            runtime.handle(),
        );
    }
    let from_cli = daemon.signet(&["remember", "and one from the command line"]);
    from_cli.ok();
    runtime.block_on(tasks.join_all());
    assert_eq!(stored(&daemon).len(), 1001);
}

#[test]
fn a_backup_is_restored_and_the_former_database_is_kept() {
    let mut daemon = TestDaemon::start();
    let id = daemon.json(&["remember", "worth keeping"])["id"].as_str().unwrap().to_owned();
    let backup = daemon.home.path().join("backup.db");
    let made = daemon.json(&["backup", "-o", backup.to_str().unwrap()]);
    assert_eq!(made["memories"], 1, "{made}");
    daemon.signet(&["memory", "forget", &id]).ok();
    daemon.signal(Signal::TERM);
    daemon.wait();
    let home = daemon.into_home();
    let refused = home.signet(&["restore", backup.to_str().unwrap()]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let restored = home.signet(&["--json", "--yes", "restore", backup.to_str().unwrap()]).json();
    assert!(std::fs::exists(restored["movedAside"].as_str().unwrap()).unwrap(), "{restored}");
    let daemon = TestDaemon::start_in(home);
    assert_eq!(daemon.signet(&["memory", "show", "--raw", &id]).ok(), "worth keeping\n");
}

#[test]
fn a_rebuild_changes_no_answer() {
    let mut daemon = TestDaemon::start();
    for text in ["Tabs over spaces", "東京の天気は晴れ", "std::sync::Mutex is poisoned by a panic"] {
        daemon.signet(&["remember", "--tags", "a,b", text]).ok();
    }
    let ask = |daemon: &TestDaemon| {
        ["tabs", "天気", "mutex"].map(|query| {
            let hits = daemon.json(&["recall", query])["results"].clone();
            // The score is left out: it knows that the first look was a use.
            hits.as_array()
                .unwrap()
                .iter()
                .map(|hit| (hit["id"].clone(), hit["tags"].clone()))
                .collect::<Vec<_>>()
        })
    };
    let before = ask(&daemon);
    assert!(before.iter().all(|hits| hits.len() == 1), "{before:?}");
    let busy = daemon.signet(&["rebuild"]);
    assert_eq!(busy.code, 5, "{busy:?}");
    daemon.signal(Signal::TERM);
    daemon.wait();
    let home = daemon.into_home();
    let rebuilt = home.signet(&["--json", "rebuild"]).json();
    assert_eq!(
        (rebuilt["memories"].as_u64(), rebuilt["countsCorrected"].as_array().unwrap().len()),
        (Some(3), 0)
    );
    assert_eq!(ask(&TestDaemon::start_in(home)), before);
}

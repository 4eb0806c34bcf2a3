//! Help of every level, completion scripts, version: compared with what is committed.

use crate::support::Home;

/// Every command, by its words.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["setup"],
    &["remember"],
    &["recall"],
    &["memory"],
    &["memory", "show"],
    &["memory", "list"],
    &["memory", "edit"],
    &["memory", "forget"],
    &["memory", "recover"],
    &["memory", "history"],
    &["memory", "similar"],
    &["receipt"],
    &["receipt", "list"],
    &["receipt", "show"],
    &["status"],
    &["doctor"],
    &["daemon"],
    &["daemon", "run"],
    &["daemon", "start"],
    &["daemon", "stop"],
    &["daemon", "restart"],
    &["daemon", "status"],
    &["daemon", "logs"],
    &["config"],
    &["config", "check"],
    &["config", "show"],
    &["config", "get"],
    &["config", "schema"],
    &["agent"],
    &["agent", "list"],
    &["agent", "add"],
    &["agent", "show"],
    &["agent", "set"],
    &["agent", "remove"],
    &["token"],
    &["token", "create"],
    &["token", "list"],
    &["token", "revoke"],
    &["token", "whoami"],
    &["api-key"],
    &["api-key", "create"],
    &["api-key", "list"],
    &["api-key", "revoke"],
    &["backup"],
    &["backup", "verify"],
    &["restore"],
    &["rebuild"],
    &["completions"],
];

/// Help without the block of global options, which is the same everywhere and shown once.
fn own_part(help: &str) -> &str {
    help.split("\nGlobal options:").next().unwrap()
}

#[test]
fn help_of_every_level() {
    let home = Home::new();
    let mut page = String::new();
    for words in COMMANDS {
        let mut args = words.to_vec();
        args.push("--help");
        let said = home.signet(&args);
        let text = if words.is_empty() { said.ok() } else { own_part(said.ok()) };
        page = format!("{page}=== signet {}\n{}\n\n", words.join(" "), text.trim_end());
    }
    insta::assert_snapshot!("help", page);
}

#[test]
fn no_command_is_missing_from_the_page() {
    let home = Home::new();
    let parents: Vec<&&[&str]> = COMMANDS.iter().filter(|words| words.len() < 2).collect();
    for words in parents {
        let mut args = words.to_vec();
        args.push("--help");
        let said = home.signet(&args);
        let listed = said.ok().split("Commands:\n").nth(1).unwrap_or_default();
        let names = listed
            .lines()
            .take_while(|line| line.starts_with("  "))
            .filter_map(|line| line.split_whitespace().next());
        for name in names.filter(|name| *name != "help") {
            let mut full = words.to_vec();
            full.push(name);
            assert!(COMMANDS.contains(&full.as_slice()), "{full:?}");
        }
    }
}

#[test]
fn version_in_both_forms() {
    let home = Home::new();
    assert_eq!(home.signet(&["-V"]).ok(), "signet 0.0.0 (schema 148)\n");
    let json = home.signet(&["--version", "--json"]).json();
    assert_eq!((json["version"].as_str(), json["schemaVersion"].as_i64()), (Some("0.0.0"), Some(148)));
}

#[test]
fn completion_scripts_know_the_commands() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = home.signet(&["completions", shell]);
        for word in ["remember", "whoami", "why-not"] {
            assert!(said.ok().contains(word), "{shell}: {word}");
        }
    }
}

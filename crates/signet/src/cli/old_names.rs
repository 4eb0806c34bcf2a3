//! Names of commands and flags that people know from older tools: exit 2, and what to use instead.

/// Old name -> what to do.
const NAMES: &[(&str, &str)] = &[
    ("secret", "keys are named in agent.yaml as `env:NAME` or `$secret:NAME`"),
    ("secrets", "keys are named in agent.yaml as `env:NAME` or `$secret:NAME`"),
    ("skill", "there is no skill catalogue"),
    ("skills", "there is no skill catalogue"),
    ("git", "put the workspace under git yourself; `signet setup` writes the .gitignore"),
    ("update", "install the new version with what you installed this one with"),
    ("sync", "there is no synchronisation between machines"),
    ("marketplace", "there is no marketplace"),
    ("tasks", "use your system's scheduler (cron, systemd timers)"),
    ("graphiq", "there is no code index"),
    ("desktop", "there is no desktop application"),
    ("browse", "use `signet memory list`"),
    ("forge", "it is not provided"),
    ("route", "language models are not part of Signet yet"),
    ("context", "use `signet recall`"),
    ("migrate-schema", "the daemon migrates the database when it starts, after a backup"),
    ("migrate-vectors", "vectors follow the model by themselves"),
    ("forget", "use `signet memory forget`"),
    ("list", "use `signet memory list`"),
    ("show", "use `signet memory show`"),
];

/// Beginning of an old flag -> what to do.
const FLAGS: &[(&str, &str)] = &[
    ("--extraction-", "language models are not part of Signet yet"),
    ("--search-balance", "set `search.alpha` in agent.yaml"),
    ("--skip-git", "git is never run; setup only writes a block into .gitignore"),
];

/// What to say about an old flag; `None` for flags that nobody knew.
pub(crate) fn instead_of_flag(flag: &str) -> Option<&'static str> {
    FLAGS.iter().find(|(old, _)| flag.starts_with(old)).map(|(_, instead)| *instead)
}

/// What to say about an old name; `None` for names that nobody knew.
pub(crate) fn instead(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(old, _)| *old == name).map(|(_, instead)| *instead)
}

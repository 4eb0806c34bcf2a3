//! From workspace and environment to settings: find the file, check it, merge, remember where each value came from.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::issue::{Issue, Place};
use super::{Settings, check, section, value};
use crate::env::Env;

/// File names in the order of preference.
pub(crate) const NAMES: [&str; 3] = ["agent.yaml", "AGENT.yaml", "config.yaml"];

/// Port that the environment may set to 0, which the file may not: any free port, for tests.
const ANY_PORT: (&str, &str) = ("network.port", "0");

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The key table.
    Default,
    /// The file.
    File,
    /// An environment variable.
    Env,
}

impl Origin {
    /// The word in `config show --origin`.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Env => "env",
        }
    }
}

/// One effective value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effective {
    /// The value.
    pub(crate) value: Value,
    /// Where it came from.
    pub(crate) origin: Origin,
    /// Line in the file, when it came from there.
    pub(crate) line: Option<usize>,
}

/// A configuration that was read, good or bad.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    /// The file; `None` = all defaults.
    pub(crate) file: Option<PathBuf>,
    /// Everything that was found.
    pub(crate) issues: Vec<Issue>,
    /// Every value, by canonical path.
    pub(crate) values: BTreeMap<String, Effective>,
    /// Settings; `None` when an issue is a refusal.
    pub(crate) settings: Option<Settings>,
}

impl Loaded {
    /// The refusals.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| issue.is_error())
    }

    /// A finding as one line: `file:line:column: sentence`.
    pub(crate) fn describe(&self, issue: &Issue) -> String {
        match &self.file {
            Some(file) if issue.place.line > 0 => format!("{}:{issue}", file.display()),
            Some(file) if issue.path.is_empty() => format!("{}: {issue}", file.display()),
            _ => issue.to_string(),
        }
    }
}

/// The configuration file of a workspace; `None` = there is none.
///
/// Whatever has the name counts, readable or not: a file that cannot be read must never mean that everything
/// is at its default, which would open a daemon that asks for credentials.
pub(crate) fn find(workspace: &Path) -> Option<PathBuf> {
    let absent = |path: &PathBuf| {
        let error = std::fs::symlink_metadata(path).err()?;
        // A workspace below a file has no file in it either; opening it says so.
        matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory).then_some(())
    };
    NAMES.iter().map(|name| workspace.join(name)).find(|path| absent(path).is_none())
}

/// Content of the file, or why it has none, as the end of a sentence. Only a regular file is opened: a pipe
/// would never answer, and a device never end.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    const REMEDY: &str = "put a regular file in its place, or move it away to run with all defaults";
    let failed = |error: std::io::Error| {
        if error.kind() == ErrorKind::NotFound && path.is_symlink() {
            format!("is a symbolic link that leads nowhere; {REMEDY}")
        } else {
            format!("cannot be read: {error}")
        }
    };
    let kind = std::fs::metadata(path).map_err(failed)?.file_type();
    if !kind.is_file() {
        let what = if kind.is_dir() { "a folder" } else { "not a regular file" };
        return Err(format!("is {what}; {REMEDY}"));
    }
    std::fs::read(path).map_err(failed)
}

/// Reads the workspace's file and the environment. Never fails: what is wrong is in `issues`.
pub(crate) fn load(workspace: &Path, env: &Env) -> Loaded {
    let file = find(workspace);
    let mut unreadable = None;
    let text = match &file {
        None => Vec::new(),
        Some(path) => read(path).unwrap_or_else(|why| {
            unreadable = Some(Issue::error("", Place::default(), why));
            Vec::new()
        }),
    };
    let mut loaded = from_text(&text, env);
    loaded.file = file;
    if let Some(issue) = unreadable {
        loaded.issues.insert(0, issue);
        loaded.settings = None;
    }
    loaded
}

/// Checks a text as if it were the file.
pub(crate) fn from_text(text: &[u8], env: &Env) -> Loaded {
    let (overrides, mut issues) = overrides(env);
    let found = check::check(text, &overrides);
    let mut values = defaults();
    for (path, value, place) in found.set() {
        let from_env = overrides.iter().any(|(key, _)| key == path);
        let origin = if from_env { Origin::Env } else { Origin::File };
        let line = (!from_env).then_some(place.line);
        values.insert(path.to_owned(), Effective { value: value.clone(), origin, line });
    }
    extend(&mut values, "network.allowedHosts", env.list("SIGNET_ALLOWED_HOSTS"));
    extend(&mut values, "network.allowedOrigins", env.list("SIGNET_TRUSTED_DAEMON_ORIGINS"));
    issues.extend(found.issues);
    let settings = if issues.iter().any(Issue::is_error) { None } else { typed(&values, &mut issues) };
    Loaded { file: None, issues, values, settings }
}

/// Every key that stands for itself, at its default.
pub(crate) fn defaults() -> BTreeMap<String, Effective> {
    let keys = section::keys().filter(|key| !key.is_pattern());
    keys.map(|key| {
        let value = value::default(key).unwrap_or(Value::Null);
        (key.path.to_owned(), Effective { value, origin: Origin::Default, line: None })
    })
    .collect()
}

fn typed(values: &BTreeMap<String, Effective>, issues: &mut Vec<Issue>) -> Option<Settings> {
    serde_json::from_value(tree(values))
        .map_err(|error| issues.push(Issue::error("", Place::default(), format!("settings: {error}"))))
        .ok()
}

fn overrides(env: &Env) -> (Vec<(String, Value)>, Vec<Issue>) {
    let (mut values, mut issues) = (Vec::new(), Vec::new());
    for key in section::keys() {
        let Some((name, text)) = key.env.and_then(|name| Some((name, env.get(name)?))) else { continue };
        if (key.path, text) == ANY_PORT {
            values.push((key.path.to_owned(), Value::from(0)));
            continue;
        }
        match value::from_text(key, name, text) {
            Ok(value) => values.push((key.path.to_owned(), value)),
            Err(message) => {
                let message =
                    message.replacen(&format!("`{name}`"), &format!("environment variable {name}"), 1);
                issues.push(Issue::error(key.path, Place::default(), message));
            }
        }
    }
    (values, issues)
}

fn extend(values: &mut BTreeMap<String, Effective>, path: &str, more: Vec<String>) {
    if more.is_empty() {
        return;
    }
    if let Some(entry) = values.get_mut(path) {
        if let Value::Array(items) = &mut entry.value {
            items.extend(more.into_iter().map(Value::String));
        }
        entry.origin = Origin::Env;
    }
}

/// Values by path as one nested JSON object.
pub(crate) fn tree(values: &BTreeMap<String, Effective>) -> Value {
    let mut root = Map::new();
    for (path, effective) in values {
        put(&mut root, path, effective.value.clone());
    }
    Value::Object(root)
}

fn put(map: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            map.insert(path.replace(check::DOT, "."), value);
        }
        Some((head, rest)) => {
            let child = map.entry(head.replace(check::DOT, ".")).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(child) = child {
                put(child, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests;

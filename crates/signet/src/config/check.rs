//! A configuration file against the key table: typed values, and everything that is wrong, at once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::issue::{Issue, Place};
use super::key::{Key, Kind};
use super::yaml::{Entry, Node, Yaml};
use super::{legacy, section, spelling, value, yaml};

/// Largest file.
pub(crate) const MAX_BYTES: usize = 1_048_576;

/// Stands for a dot inside a name of the user's choice (`gpt-4.1`), so that paths split at real dots only.
pub(crate) const DOT: &str = "\u{1}";

/// A value with its place and the spelling it came in.
#[derive(Debug, Clone, PartialEq)]
struct Found {
    value: Value,
    place: Place,
    written: String,
}

/// What a file says, by canonical path, and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    values: BTreeMap<String, Found>,
    /// Everything that was found, in file order.
    pub(crate) issues: Vec<Issue>,
}

/// Reads and checks a file's text. Rules over several keys see defaults where the file is silent;
/// `overrides` (environment) win over the file before they run.
pub(crate) fn check(text: &[u8], overrides: &[(String, Value)]) -> Findings {
    let mut found = Findings::default();
    match std::str::from_utf8(text) {
        _ if text.len() > MAX_BYTES => {
            found.issues.push(Issue::error(
                "",
                Place::default(),
                format!("the file is above {MAX_BYTES} bytes"),
            ));
        }
        Ok(text) => found.read(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let line = text[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
            let place = Place { line, column: 1 };
            found.issues.push(Issue::error("", place, "the file is not UTF-8"));
        }
    }
    for (path, value) in overrides {
        let place = Place::default();
        found.values.insert(path.clone(), Found { value: value.clone(), place, written: path.clone() });
    }
    section::validate(&mut found);
    found.issues.sort_by_key(|issue| issue.place);
    found
}

impl Findings {
    fn read(&mut self, text: &str) {
        match yaml::parse(text, &mut self.issues) {
            Ok(None) => {}
            Ok(Some(root)) if root.is_null() => {}
            Ok(Some(Node { value: Yaml::Map(entries), .. })) => self.walk("", &entries),
            Ok(Some(root)) => {
                let message = "the file must be a mapping of keys to values".to_owned();
                self.issues.push(Issue::error("", root.place, message));
            }
            Err(issue) => self.issues.push(issue),
        }
    }

    fn walk(&mut self, prefix: &str, entries: &[Entry]) {
        for entry in entries {
            let word = child(prefix, &entry.key);
            let path = join(prefix, word.as_deref().unwrap_or(&entry.key));
            self.entry(prefix, &path, entry, word.is_some());
        }
    }

    fn entry(&mut self, prefix: &str, path: &str, entry: &Entry, known: bool) {
        if let Some(instead) = legacy::retired(path) {
            self.retired(path, instead, entry);
        } else if legacy::ignored(path) {
            self.ignored(path, entry);
        } else if let Some(now) = legacy::renamed(path) {
            self.renamed(path, &now, entry);
        } else if path == legacy::INJECT_CHARS.0 {
            self.inject_chars(entry);
        } else if let Some(key) = leaf(path).filter(|_| known) {
            self.store(key, path, &entry.node, &written(prefix, entry));
        } else if known || legacy::has_children(path) {
            match &entry.node.value {
                Yaml::Map(entries) => self.walk(path, entries),
                _ if entry.node.is_null() => {}
                _ => self.issues.push(Issue::error(
                    path,
                    entry.node.place,
                    format!("`{path}` must be a section"),
                )),
            }
        } else {
            self.unknown(prefix, path, entry);
        }
    }

    fn retired(&mut self, path: &str, instead: &str, entry: &Entry) {
        let message = match instead.strip_prefix("nothing: ") {
            Some(why) => format!("`{path}` is retired; remove it: {why}"),
            None => format!("`{path}` is retired; use {instead}"),
        };
        let mut issue = Issue::error(path, entry.place, message);
        issue.replacement = Some(instead.to_owned());
        self.issues.push(issue);
    }

    /// A section without effect may still hold a retired key, which is refused.
    fn ignored(&mut self, path: &str, entry: &Entry) {
        let before = self.issues.len();
        if let Yaml::Map(entries) = &entry.node.value {
            for inner in entries {
                let below = join(path, &inner.key);
                if let Some(instead) = legacy::retired(&below) {
                    self.retired(&below, instead, inner);
                }
            }
        }
        if self.issues.len() == before {
            self.issues.push(Issue::ignored(path, entry.place));
        }
    }

    fn store(&mut self, key: &Key, path: &str, node: &Node, written: &str) {
        let value = match value::check(key, path, node) {
            Ok(value) => value,
            Err(message) => return self.issues.push(Issue::error(path, node.place, message)),
        };
        if key.kind == Kind::Secret && value.as_str().is_some_and(|text| !is_reference(text)) {
            let message = format!(
                "`{path}` holds the key itself; `env:NAME` or `$secret:NAME` keeps it out of the file"
            );
            self.issues.push(Issue::warning(path, node.place, message));
        }
        match self.values.get(path) {
            Some(first) if first.value != value => {
                let message = format!(
                    "`{path}` is given as `{}` and as `{written}`, with different values",
                    first.written
                );
                self.issues.push(Issue::error(path, node.place, message));
            }
            _ => {
                let found = Found { value, place: node.place, written: written.to_owned() };
                self.values.insert(path.to_owned(), found);
            }
        }
    }

    fn renamed(&mut self, path: &str, now: &str, entry: &Entry) {
        let mut issue = Issue::warning(path, entry.place, format!("`{path}` is now `{now}`"));
        issue.replacement = Some(format!("`{now}`"));
        self.issues.push(issue);
        if let Some(key) = leaf(now) {
            self.store(key, now, &entry.node, path);
        }
    }

    fn inject_chars(&mut self, entry: &Entry) {
        let (old, now) = legacy::INJECT_CHARS;
        let Some(key) = leaf(now) else { return };
        let tokens = match &entry.node.value {
            Yaml::Scalar { text, plain: true } => {
                text.parse::<i64>().ok().map(|chars| (chars / 4).to_string())
            }
            _ => None,
        };
        let Some(text) = tokens else {
            let message = format!("`{old}` must be a whole number");
            return self.issues.push(Issue::error(old, entry.node.place, message));
        };
        self.issues.push(Issue::warning(
            old,
            entry.place,
            format!("`{old}` is now `{now}`, a quarter of it"),
        ));
        let node = Node { place: entry.node.place, value: Yaml::Scalar { text, plain: true } };
        self.store(key, now, &node, old);
    }

    fn unknown(&mut self, prefix: &str, path: &str, entry: &Entry) {
        let children = children(prefix);
        let nearest = spelling::nearest(&entry.key, children.iter().copied());
        let message = match nearest {
            Some(near) => format!("unknown key `{path}`; did you mean `{}`?", join(prefix, near)),
            None if prefix.is_empty() => {
                format!("unknown key `{path}`; sections are {}", children.join(", "))
            }
            None => format!("unknown key `{path}`; keys of `{prefix}` are {}", children.join(", ")),
        };
        let mut issue = Issue::error(path, entry.place, message);
        issue.nearest = nearest.map(|near| join(prefix, near));
        self.issues.push(issue);
    }

    /// Adds a refusal of a rule, at the place of the key when the file has it.
    pub(crate) fn refuse(&mut self, path: &str, message: String) {
        let below = format!("{path}.");
        let at = self.values.iter().find(|(key, _)| key.as_str() == path || key.starts_with(&below));
        let place = at.map(|(_, found)| found.place).unwrap_or_default();
        self.issues.push(Issue::error(path, place, message));
    }

    /// The value of a key: the file's, else the default. `None` for null and for unknown paths.
    pub(crate) fn get(&self, path: &str) -> Option<Value> {
        let value = match self.values.get(path) {
            Some(found) => Some(found.value.clone()),
            None => leaf(path).and_then(|key| value::default(key).ok()),
        };
        value.filter(|value| !value.is_null())
    }

    /// A text value.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        self.get(path)?.as_str().map(str::to_owned)
    }

    /// A whole number.
    pub(crate) fn int(&self, path: &str) -> Option<i64> {
        self.get(path)?.as_i64()
    }

    /// A number.
    pub(crate) fn number(&self, path: &str) -> Option<f64> {
        self.get(path)?.as_f64()
    }

    /// Names that the file uses directly under a path.
    pub(crate) fn names_under(&self, path: &str) -> Vec<String> {
        let below = format!("{path}.");
        let mut names: Vec<String> = Vec::new();
        for key in self.values.keys() {
            if let Some(name) = key.strip_prefix(&below).and_then(|rest| rest.split('.').next())
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Every value that the file (or an override) sets.
    pub(crate) fn set(&self) -> impl Iterator<Item = (&str, &Value, Place)> {
        self.values.iter().map(|(path, found)| (path.as_str(), &found.value, found.place))
    }
}

/// Whether a secret is named and not spelled out.
pub(crate) fn is_reference(text: &str) -> bool {
    text.starts_with("env:") || text.starts_with("$secret:")
}

/// The key of a concrete path.
pub(crate) fn leaf(path: &str) -> Option<&'static Key> {
    section::keys().find(|key| matches(key.path, path))
}

fn matches(pattern: &str, path: &str) -> bool {
    let mut words = path.split('.');
    pattern.split('.').all(|part| words.next().is_some_and(|word| part == "*" || part == word))
        && words.next().is_none()
}

/// The known words directly under a concrete path (without `*`).
fn children(prefix: &str) -> Vec<&'static str> {
    let depth = if prefix.is_empty() { 0 } else { prefix.split('.').count() };
    let mut words: Vec<&'static str> = Vec::new();
    for key in section::keys() {
        if let Some(word) = word_at(key.path, prefix, depth)
            && word != "*"
            && !words.contains(&word)
        {
            words.push(word);
        }
    }
    words
}

/// The canonical word for a key as written under a path; a free name stands for itself.
fn child(prefix: &str, written: &str) -> Option<String> {
    let depth = if prefix.is_empty() { 0 } else { prefix.split('.').count() };
    if let Some(word) = children(prefix).into_iter().find(|word| spelling::same(word, written)) {
        return Some(word.to_owned());
    }
    let free = section::keys().any(|key| word_at(key.path, prefix, depth) == Some("*"));
    (free && !written.is_empty()).then(|| written.replace('.', DOT))
}

fn word_at(pattern: &'static str, prefix: &str, depth: usize) -> Option<&'static str> {
    let mut parts = pattern.split('.');
    let under = prefix.is_empty()
        || prefix.split('.').all(|word| parts.next().is_some_and(|part| part == "*" || part == word));
    if !under {
        return None;
    }
    pattern.split('.').nth(depth)
}

fn join(prefix: &str, word: &str) -> String {
    if prefix.is_empty() { word.to_owned() } else { format!("{prefix}.{word}") }
}

fn written(prefix: &str, entry: &Entry) -> String {
    join(prefix, &entry.key)
}

#[cfg(test)]
mod tests;

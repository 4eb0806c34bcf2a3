//! What a rule says: where, which rule, what is wrong and what to do.

use std::fmt;

/// A broken rule at a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Path from the workspace root.
    pub(crate) path: String,
    /// Line, from 1; 0 when the whole file is meant.
    pub(crate) line: usize,
    /// Name of the rule.
    pub(crate) rule: &'static str,
    /// What is wrong, and what to do.
    pub(crate) says: String,
}

impl Finding {
    /// A finding of `rule` at a line.
    pub(crate) fn new(rule: &'static str, path: &str, line: usize, says: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, says: says.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, says } = self;
        if *line == 0 {
            write!(f, "{path}: [{rule}] {says}")
        } else {
            write!(f, "{path}:{line}: [{rule}] {says}")
        }
    }
}

//! The rules and how they are run: one pass of one automaton over each form of the text, and a look
//! at positions only for what it names.

mod table;

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::exempt::{first_chars, last_chars, lifts};
use super::{Reason, forms, language};

/// Characters between the two parts of a rule that has two.
const NEAR: usize = 160;

/// A pattern over a form of the text. See [`compile`] for its dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) reason: Reason,
    pub(super) pattern: &'static str,
    /// What must also stand within [`NEAR`] characters for the pattern to count.
    pub(super) near: Option<&'static str>,
}

impl Rule {
    /// A rule whose pattern suffices.
    pub(super) const fn new(reason: Reason, pattern: &'static str) -> Self {
        Self { reason, pattern, near: None }
    }

    /// The same rule, only together with another pattern close by.
    const fn near(mut self, pattern: &'static str) -> Self {
        self.near = Some(pattern);
        self
    }
}

struct Compiled {
    set: RegexSet,
    rules: Vec<(Rule, OnceLock<Parts>)>,
}

/// The patterns of one rule by themselves, compiled when the set first names it.
struct Parts {
    pattern: Option<Regex>,
    near: Option<Regex>,
}

static RULES: LazyLock<Compiled> = LazyLock::new(|| {
    let rules: Vec<Rule> = all().collect();
    let patterns = rules.iter().map(|rule| dialect(rule.pattern));
    let set = RegexSetBuilder::new(patterns).size_limit(64 << 20).dfa_size_limit(2 << 20).build();
    Compiled {
        // Constants only: a test compiles every one of them.
        set: set.unwrap_or_else(|_| RegexSet::empty()),
        rules: rules.into_iter().map(|rule| (rule, OnceLock::new())).collect(),
    }
});

fn all() -> impl Iterator<Item = Rule> {
    language::OVERRIDES
        .iter()
        .map(|pattern| Rule::new(Reason::PromptInjection, pattern))
        .chain(table::RULES.iter().copied())
}

/// Reasons of the rules that the text breaks and nothing around lifts.
pub(super) fn broken(text: &str) -> BTreeSet<Reason> {
    let mut reasons = BTreeSet::new();
    for form in forms::of(text) {
        for index in &RULES.set.matches(&form) {
            let (rule, parts) = &RULES.rules[index];
            if !reasons.contains(&rule.reason) && stands(rule, parts, &form) {
                reasons.insert(rule.reason);
            }
        }
    }
    reasons
}

/// Whether at least one hit of the rule is complete and not lifted.
fn stands(rule: &Rule, parts: &OnceLock<Parts>, form: &str) -> bool {
    let parts =
        parts.get_or_init(|| Parts { pattern: compile(rule.pattern), near: rule.near.and_then(compile) });
    parts.pattern.iter().flat_map(|pattern| pattern.find_iter(form)).any(|hit| {
        let (mut start, mut end) = (hit.start(), hit.end());
        if let Some(near) = &parts.near {
            let after = first_chars(&form[end..], NEAR);
            let before = last_chars(&form[..start], NEAR);
            if let Some(other) = near.find(after) {
                end += other.end();
            } else if let Some(other) = near.find(before) {
                start -= before.len() - other.start();
            } else {
                return false;
            }
        }
        !lifts(form, start, end)
    })
}

/// Compiles a pattern of ours. `None` only for a pattern that does not parse, which a test excludes.
///
/// Dialect: the text is lower case and its only white space is single spaces, so patterns are lower
/// case and write a space as a space. Word boundaries and `\w` are ASCII, which keeps the automaton
/// fast on every script.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&dialect(pattern)).size_limit(16 << 20).build().ok()
}

fn dialect(pattern: &str) -> String {
    pattern.replace(r"\b", r"(?-u:\b)").replace(r"\w", "[a-z0-9_]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_alone_and_together() {
        let rules: Vec<Rule> = all().collect();
        for rule in &rules {
            for pattern in std::iter::once(rule.pattern).chain(rule.near) {
                assert!(compile(pattern).is_some(), "{pattern}");
            }
        }
        assert_eq!(RULES.set.len(), rules.len());
    }

    #[test]
    fn patterns_are_written_in_the_case_of_the_forms() {
        for rule in all() {
            for pattern in std::iter::once(rule.pattern).chain(rule.near) {
                assert_eq!(pattern, pattern.to_lowercase(), "patterns read lower-case text");
            }
        }
    }
}

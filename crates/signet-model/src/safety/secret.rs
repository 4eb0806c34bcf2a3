//! Credentials in a text: noticed at capture, taken out on every way out.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

/// What stands in place of a credential.
pub const REDACTED: &str = "[redacted]";

/// What a credential looks like. The group `v`, where there is one, is the part that is secret.
const PATTERNS: [Pattern; 25] = [
    // Keys with a shape of their own
    Pattern::sure(
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
    ),
    Pattern::sure(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    Pattern::sure(r"\bgh[pousr]_[A-Za-z0-9]{30,}"),
    Pattern::sure(r"\bgithub_pat_[A-Za-z0-9_]{40,}"),
    Pattern::sure(r"\bglpat-[A-Za-z0-9_-]{20,}"),
    Pattern::sure(r"\bsk-[A-Za-z0-9_-]{20,}"),
    Pattern::sure(r"\bsig_sk_[0-9a-f]{12}_[A-Za-z0-9_-]{20,}"),
    Pattern::sure(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    Pattern::sure(r"\bhooks\.slack\.com/services/(?P<v>[A-Za-z0-9/]{20,})"),
    Pattern::sure(r"\bAIza[0-9A-Za-z_-]{35}"),
    Pattern::sure(r"\bya29\.[0-9A-Za-z_-]{20,}"),
    Pattern::sure(r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    Pattern::sure(r"\bnpm_[A-Za-z0-9]{36}"),
    Pattern::sure(r"\bpypi-[A-Za-z0-9_-]{50,}"),
    Pattern::sure(r"\bhf_[A-Za-z0-9]{30,}"),
    Pattern::sure(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    Pattern::sure(r"\bdop_v1_[0-9a-f]{64}"),
    Pattern::sure(r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    Pattern::sure(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    // A password in an address
    Pattern::guess(r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s:/@]*:(?P<v>[^\s@/]{3,})@", not_a_placeholder),
    // Headers
    Pattern::guess(
        r#"(?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+(?P<v>[A-Za-z0-9._~+/=-]{8,})"#,
        not_a_placeholder,
    ),
    Pattern::guess(r"(?i)\bbearer\s+(?P<v>[A-Za-z0-9._~+/=-]{16,})", looks_random),
    Pattern::guess(r#"(?i)\bx-api-key["']?\s*[:=]\s*["']?(?P<v>[^\s"',;]{8,})"#, not_a_placeholder),
    // A named value: quoted in code, or bare in a settings file
    Pattern::guess(
        r#"(?i)\b[a-z0-9_.-]*(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|private[_-]?key|secret[_-]?key)["']?\s*(?:=|:=?|=>)\s*["'](?P<v>[^\s"']{6,})["']"#,
        not_a_placeholder,
    ),
    Pattern::guess(
        r#"(?i)\b[a-z0-9_.-]*(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|private[_-]?key|secret[_-]?key)\s*[:=]\s*(?P<v>[^\s"',;<>{}()]{8,})"#,
        looks_random,
    ),
];

#[derive(Debug, Clone, Copy)]
struct Pattern {
    regex: &'static str,
    /// A second look at the value, where the pattern alone would take ordinary words.
    accepts: fn(&str) -> bool,
}

impl Pattern {
    const fn sure(regex: &'static str) -> Self {
        Self { regex, accepts: |_| true }
    }

    const fn guess(regex: &'static str, accepts: fn(&str) -> bool) -> Self {
        Self { regex, accepts }
    }

    /// Word boundaries are ASCII: keys are, and the automaton stays fast on every script.
    fn source(self) -> String {
        self.regex.replace(r"\b", r"(?-u:\b)")
    }
}

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    // Constants only: a test compiles every one of them.
    RegexSet::new(PATTERNS.map(Pattern::source)).unwrap_or_else(|_| RegexSet::empty())
});

static ALONE: [OnceLock<Option<Regex>>; PATTERNS.len()] = [const { OnceLock::new() }; PATTERNS.len()];

/// Whether the text holds something like a credential.
pub(super) fn found(text: &str) -> bool {
    !spans(text).is_empty()
}

/// The text with each credential replaced by [`REDACTED`]; borrowed when there is none.
///
/// Used on every way out: providers, prompts, logs, traces, exports unless asked. Doing it twice changes
/// nothing.
pub fn redact(text: &str) -> Cow<'_, str> {
    let spans = spans(text);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut redacted = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end) in spans {
        // Two patterns may see the same key: what the first took is gone.
        if end <= done {
            continue;
        }
        if start >= done {
            redacted.push_str(&text[done..start]);
            redacted.push_str(REDACTED);
        }
        done = end;
    }
    redacted.push_str(&text[done..]);
    Cow::Owned(redacted)
}

/// Where credentials stand, by their beginning.
fn spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = SET
        .matches(text)
        .iter()
        .filter_map(|index| {
            let regex = ALONE[index].get_or_init(|| Regex::new(&PATTERNS[index].source()).ok()).as_ref()?;
            Some((PATTERNS[index], regex))
        })
        .flat_map(|(pattern, regex)| {
            regex.captures_iter(text).filter_map(move |hit| {
                let value = hit.name("v").or_else(|| hit.get(0))?;
                (pattern.accepts)(value.as_str()).then(|| (value.start(), value.end()))
            })
        })
        .collect();
    spans.sort_unstable();
    spans
}

/// References to a secret kept elsewhere, and marks of one already taken out, are no secrets.
fn not_a_placeholder(value: &str) -> bool {
    let starts =
        ["$", "<", "{", "%", "[", "env:", "***", "xxx", "XXX", "...", "your", "YOUR", "my_", "changeme"];
    !starts.iter().any(|start| value.starts_with(start))
        && !value.chars().all(|c| matches!(c, '*' | '.' | 'x' | '•'))
}

/// A value that no sentence holds: letters mixed with digits or symbols.
fn looks_random(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ')', ':', '!', '?']);
    let letters = value.chars().any(char::is_alphabetic);
    let others = value.chars().any(|c| c.is_ascii_digit() || "!@#$%^&*+=/".contains(c));
    not_a_placeholder(value) && value.len() >= 8 && letters && others && !value.contains("://")
}

#[cfg(test)]
mod tests;

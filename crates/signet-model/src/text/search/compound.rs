//! Words inside words: identifiers, paths, versions and grouped numbers, whole and in parts.
//!
//! The index splits `src/lib/foo_bar.rs` into its parts by itself; what it lacks is the whole, and
//! the parts of `camelCase`.

use super::script::word_form;

/// Joins the parts of a whole: a private-use letter, so that the index keeps it in one word.
const JOIN: char = '\u{e000}';

/// Longer pieces are data, not names.
const LONGEST: usize = 256;

/// Calls `emit` with every further word of a piece of text without white space.
pub(super) fn each(piece: &str, mut emit: impl FnMut(&str)) {
    if piece.len() > LONGEST || !piece.bytes().any(|b| b.is_ascii()) {
        return;
    }
    for name in piece.split(|c: char| !is_name_char(c)) {
        if let Some(number) = ungrouped(name) {
            emit(&number);
            continue;
        }
        let name = name.replace(',', "");
        wholes(&name, &mut emit);
        suffixed(&name, &mut emit);
        for word in name.split(|c: char| !c.is_alphanumeric()) {
            humps(word, &mut emit);
        }
    }
}

fn is_joiner(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | '\\' | ':' | '@' | '+' | '#')
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || is_joiner(c) || c == ','
}

/// `1,234,567` as `1234567`.
fn ungrouped(name: &str) -> Option<String> {
    let trimmed = name.trim_matches(|c: char| !c.is_ascii_digit());
    let mut groups = trimmed.split(',');
    let first = groups.next()?;
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let grouped = (1..=3).contains(&first.len())
        && digits(first)
        && trimmed.contains(',')
        && groups.all(|g| g.len() == 3 && digits(g));
    grouped.then(|| trimmed.replace(',', ""))
}

/// The whole name; of a path also its compound members; of a file also its stem.
fn wholes(name: &str, emit: &mut impl FnMut(&str)) {
    let name = trim(name);
    let mut last = String::new();
    let mut once = |part: &str| {
        let joined = join(part);
        if joined.contains(JOIN) && joined != last {
            emit(&joined);
            last = joined;
        }
    };
    once(name);
    for member in name.split(['/', '\\', ':', '@']) {
        let member = trim(member);
        once(member);
        if let Some((stem, _)) = member.rsplit_once('.') {
            once(trim(stem));
        }
    }
}

fn trim(name: &str) -> &str {
    name.trim_matches(is_joiner)
}

fn join(name: &str) -> String {
    let parts: Vec<&str> = name.split(is_joiner).filter(|part| !part.is_empty()).collect();
    parts.join(&JOIN.to_string())
}

/// `C++` and `C#` are other words than `C`.
fn suffixed(name: &str, emit: &mut impl FnMut(&str)) {
    let stem = name.trim_end_matches(['+', '#']);
    let suffix = &name[stem.len()..];
    let marked = suffix == "++" || suffix == "#";
    if marked && stem.chars().next_back().is_some_and(char::is_alphabetic) {
        let word = stem.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or(stem);
        let form: String = word.chars().chain(suffix.chars().map(word_form)).collect();
        emit(&form);
    }
}

/// The parts of `camelCase` and `HTTPServer`.
fn humps(word: &str, emit: &mut impl FnMut(&str)) {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut starts = vec![0];
    for i in 1..chars.len() {
        let (before, here) = (chars[i - 1].1, chars[i].1);
        let after_is_lower = chars.get(i + 1).is_some_and(|c| c.1.is_lowercase());
        let rises = !before.is_uppercase() && here.is_uppercase();
        if rises || (before.is_uppercase() && here.is_uppercase() && after_is_lower) {
            starts.push(chars[i].0);
        }
    }
    if starts.len() > 1 {
        starts.push(word.len());
        for pair in starts.windows(2) {
            emit(&word[pair[0]..pair[1]]);
        }
    }
}

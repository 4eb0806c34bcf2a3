//! The two prefixes a person may write before a memory: `critical:` and `[tag,tag]:`.

use crate::text::normal::is_blank;

/// Most tags of one memory.
pub const MAX_TAGS: usize = 32;
/// Most characters of one tag.
pub const MAX_TAG: usize = 64;

/// A text without its prefixes, and what they said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefixed<'t> {
    /// `critical:` stood first.
    pub critical: bool,
    /// Lower-cased tags of `[a,b]:`; empty without that prefix.
    pub tags: Vec<String>,
    /// What remains.
    pub rest: &'t str,
}

/// Takes the prefixes off, in this order, once each. A bracket that holds no valid tag list is text.
pub fn split(text: &str) -> Prefixed<'_> {
    let (critical, rest) = match cut_word(text, "critical:") {
        Some(rest) => (true, rest.trim_start_matches(is_blank)),
        None => (false, text),
    };
    match tag_list(rest) {
        Some((tags, rest)) => Prefixed { critical, tags, rest },
        None => Prefixed { critical, tags: Vec::new(), rest },
    }
}

/// Trims, drops empties, keeps the first of equals, in order.
pub fn clean_tags<'a>(tags: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut clean: Vec<String> = Vec::new();
    for tag in tags.into_iter().map(|tag| tag.trim_matches(is_blank)) {
        if !tag.is_empty() && !clean.iter().any(|known| known == tag) {
            clean.push(tag.to_owned());
        }
    }
    clean
}

fn cut_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

fn tag_list(text: &str) -> Option<(Vec<String>, &str)> {
    let (list, rest) = text.strip_prefix('[')?.split_once("]:")?;
    if list.contains(['[', ']', '\n']) {
        return None;
    }
    let lower = list.to_lowercase();
    let tags = clean_tags(lower.split(','));
    let fits =
        !tags.is_empty() && tags.len() <= MAX_TAGS && tags.iter().all(|t| t.chars().count() <= MAX_TAG);
    fits.then(|| (tags, rest.trim_start_matches(is_blank)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, critical: bool, tags: &[&str], rest: &str) {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        assert_eq!(split(text), Prefixed { critical, tags, rest }, "{text:?}");
    }

    #[test]
    fn prefixes_are_taken_in_order_and_once() {
        check("CRITICAL: [Ops, db ,ops]: never drop the table", true, &["ops", "db"], "never drop the table");
        check("critical: critical: twice", true, &[], "critical: twice");
        check("[a]: critical: later", false, &["a"], "critical: later");
        check("[a]: [b]: text", false, &["a"], "[b]: text");
        check("critical:", true, &[], "");
    }

    #[test]
    fn what_is_no_prefix_stays_text() {
        check("critically: not", false, &[], "critically: not");
        check("[ , ]: nothing", false, &[], "[ , ]: nothing");
        check("[link](x): y", false, &[], "[link](x): y");
        check("[x] done: yes]: z", false, &[], "[x] done: yes]: z");
        check("criticaé", false, &[], "criticaé");
        let long = format!("[{}]: x", "t".repeat(65));
        check(&long, false, &[], &long);
    }
}

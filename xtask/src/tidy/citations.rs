//! References that lead nowhere for a reader of the repository.

use super::Finding;
use super::tree::Tree;

const RULE: &str = "citation";

/// Rule `citation`: no numbers of decisions (a capital D and one or two digits) and no sections of
/// documents (a Markdown file and a section sign): the reason stands there in words.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        if path == "Cargo.lock" || path.starts_with("assets/") {
            continue;
        }
        for (line, words) in text.lines().enumerate() {
            if let Some(what) = decision(words).or_else(|| section(words)) {
                let advice = format!("`{what}` leads nowhere: say the reason");
                findings.push(Finding::new(RULE, path, line + 1, advice));
            }
        }
    }
    findings
}

/// A decision's number that stands alone; `D1:2` is the name of a turn in a data set.
fn decision(line: &str) -> Option<&str> {
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    line.match_indices('D').find_map(|(at, _)| {
        let rest = &line[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
        let alone = !line[..at].ends_with(is_word) && !rest[digits..].starts_with(is_word);
        let counts = (1..=2).contains(&digits) && alone && !rest[digits..].starts_with(':');
        counts.then(|| &line[at..=at + digits])
    })
}

/// The citation of a section of a Markdown file.
fn section(line: &str) -> Option<&str> {
    const SIGN: &str = concat!(".md", " ", "\u{a7}");
    let at = line.find(SIGN)?;
    let start = line[..at].rfind([' ', '(', '`']).map_or(0, |before| before + 1);
    Some(&line[start..at + SIGN.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_decisions_and_sections_of_documents_are_found() {
        // Put together, so that this file does not find itself.
        let text = format!("fine\n//! Exact ({}4, INV-13).\n/// The rule (auth.md {}1).\n", 'D', '\u{a7}');
        let tree = Tree::of([
            ("crates/a/src/b.rs", text.as_str()),
            ("docs/c.md", "ids such as D1:2, 3D2, D123, D4x and [auth](auth.md) are none"),
            ("assets/x.md", &text),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(found, [("crates/a/src/b.rs".to_owned(), 2), ("crates/a/src/b.rs".to_owned(), 3)]);
    }
}

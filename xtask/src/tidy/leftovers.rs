//! What belongs to somebody's desk and not to the repository.

use super::Finding;
use super::tree::Tree;

const RULE: &str = "leftover";

/// Words in halves, so that this file does not find itself.
const WORDS: [(&str, &str, &str); 10] = [
    ("TO", "DO:", "do it, or write it down where plans are kept"),
    ("FIX", "ME", "fix it"),
    ("todo", "!(", "finish it"),
    ("unimpl", "emented!(", "finish it"),
    ("/wo", "rk/", "no path of a machine"),
    ("/ro", "ot/", "no path of a machine"),
    ("index.cra", "tes.io", "no package host"),
    ("py", "pi.org", "no package host"),
    ("registry.np", "mjs.org", "no package host"),
    ("deb.deb", "ian.org", "no package host"),
];

/// Rule `leftover`: no unfinished marks, machine paths or package hosts.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        if path == "Cargo.lock" || path.starts_with("assets/") {
            continue;
        }
        for (first, second, advice) in WORDS {
            let word = format!("{first}{second}");
            for (offset, _) in text.match_indices(&word) {
                let line = 1 + text[..offset].matches('\n').count();
                findings.push(Finding::new(RULE, path, line, format!("`{word}`: {advice}")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_hosts_are_found_where_they_stand() {
        let (first, second, _) = WORDS[0];
        let text = format!("fine\n// {first}{second} later\n");
        let tree = Tree::of([
            ("crates/a/src/b.rs", &text),
            ("README.md", "a list of todos"),
            ("assets/x.md", &text),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(found, [("crates/a/src/b.rs".to_owned(), 2)]);
    }
}

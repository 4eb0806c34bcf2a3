//! File names and the words that say nothing.

use super::Finding;
use super::tree::Tree;

const EMPTY_NAMES: [&str; 10] =
    ["utils", "util", "common", "helpers", "helper", "manager", "types", "misc", "shared", "base"];

/// Rule `file-name`: a file is named after what it owns; `foo.rs` + `foo/`, never `mod.rs`.
pub(crate) fn forbidden_file_names(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, _) in tree.rust() {
        if path.ends_with("/mod.rs") {
            findings.push(Finding::new(
                "file-name",
                path,
                0,
                "no mod.rs: name the file after its folder, beside it",
            ));
        }
        let parts = path.split('/').map(|part| part.trim_end_matches(".rs"));
        for part in parts.filter(|part| EMPTY_NAMES.contains(part)) {
            findings.push(Finding::new(
                "file-name",
                path,
                0,
                format!("`{part}` says nothing: name what it owns"),
            ));
        }
    }
    findings
}

/// Rule `ignored-test`: every test runs, always.
pub(crate) fn forbidden_words(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        for (offset, _) in source.code().match_indices("#[ignore") {
            findings.push(Finding::new(
                "ignored-test",
                path,
                source.line(offset),
                "no #[ignore]: make the test runnable everywhere, or delete it",
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_nothing_are_found() {
        let tree = Tree::of([
            ("crates/a/src/utils.rs", ""),
            ("crates/a/src/b/mod.rs", ""),
            ("crates/a/src/types/deep.rs", ""),
            ("crates/a/src/types_of_birds.rs", ""),
            ("docs/common.md", ""),
        ]);
        let found: Vec<_> = forbidden_file_names(&tree).into_iter().map(|f| f.path).collect();
        assert_eq!(found, ["crates/a/src/b/mod.rs", "crates/a/src/types/deep.rs", "crates/a/src/utils.rs"]);
    }

    #[test]
    fn an_ignored_test_is_found_and_a_comment_about_it_is_not() {
        let tree = Tree::of([("a.rs", "// #[ignore]\n#[test]\n#[ignore = \"slow\"]\nfn a() {}")]);
        assert_eq!(forbidden_words(&tree).into_iter().map(|f| f.line).collect::<Vec<_>>(), [3]);
    }
}

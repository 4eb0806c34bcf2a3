//! Every invariant that ARCHITECTURE.md states is kept by a test that names it.

use std::collections::BTreeMap;

use super::Finding;

use super::tree::Tree;

const DOCUMENT: &str = "ARCHITECTURE.md";

/// Rule `invariant`: each `INV-n` of the document stands in, or in the comment above, at least one test.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut stated: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, line) in tree.text(DOCUMENT).unwrap_or_default().lines().enumerate() {
        for invariant in mentions(line) {
            stated.entry(invariant).or_insert(index + 1);
        }
    }
    let tested: Vec<&str> = tree
        .rust()
        .flat_map(|(path, source)| {
            let whole_file = tree.is_test_only(path);
            mentions_at(source.text())
                .filter(move |(offset, _)| whole_file || source.in_tests(*offset))
                .map(|(_, invariant)| invariant)
        })
        .collect();
    stated
        .into_iter()
        .filter(|(invariant, _)| !tested.contains(invariant))
        .map(|(invariant, line)| {
            let says = format!("no test names {invariant}: write the test that keeps it and cite it there");
            Finding::new("invariant", DOCUMENT, line, says)
        })
        .collect()
}

fn mentions(text: &str) -> impl Iterator<Item = &str> {
    mentions_at(text).map(|(_, invariant)| invariant)
}

fn mentions_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("INV-").filter_map(|(start, prefix)| {
        let digits = text[start + prefix.len()..].bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| (start, &text[start..start + prefix.len() + digits]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invariant_that_only_code_names_is_found() {
        let tree = Tree::of([
            (DOCUMENT, "one\n- INV-1 a\n- INV-2 b\n- INV-12 c (see INV-1)"),
            (
                "crates/a/src/b.rs",
                "/// INV-1 and INV-2\nfn a() {}\n#[cfg(test)]\nmod tests {\n  /// INV-12\n  #[test] fn b() {}\n}",
            ),
            ("crates/a/tests/c.rs", "// INV-2"),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|f| (f.line, f.says)).collect();
        assert_eq!(
            found,
            [(2, "no test names INV-1: write the test that keeps it and cite it there".to_owned())]
        );
    }
}

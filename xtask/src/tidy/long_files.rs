//! Lists files that may hold two things. It never fails: length is a sign, not a fault.

use super::tree::Tree;

/// Code lines past which a file is listed.
pub(crate) const LIMIT: usize = 700;

/// Files over the limit, longest first. Comments, blank lines and tests do not count.
pub(crate) fn list(tree: &Tree) -> Vec<(&str, usize)> {
    let mut long: Vec<_> = tree
        .rust()
        .filter(|(path, _)| !tree.is_test_only(path))
        .map(|(path, source)| {
            let mut offset = 0;
            let code_lines = source.code().split_inclusive('\n').filter(|line| {
                let start = offset;
                offset += line.len();
                !line.trim().is_empty() && !source.in_tests(start)
            });
            (path, code_lines.count())
        })
        .filter(|(_, lines)| *lines > LIMIT)
        .collect();
    long.sort_by_key(|(path, lines)| (std::cmp::Reverse(*lines), *path));
    long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_counts() {
        let code = "let a = 1;\n".repeat(LIMIT + 1);
        let comments = "// a\n\n".repeat(LIMIT + 1);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{code}}}\n");
        let tree = Tree::of([("a.rs", &code), ("b.rs", &comments), ("c.rs", &tests), ("tests/d.rs", &code)]);
        assert_eq!(list(&tree), [("a.rs", LIMIT + 1)]);
    }
}

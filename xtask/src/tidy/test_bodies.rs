//! A test that returns before its first assertion passes without having looked.

use super::Finding;
use super::rust::{Source, TestFn};
use super::tree::Tree;

/// Rule `early-return`: no `return` of a test itself before its first assertion.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        for test in source.test_fns() {
            if let Some(offset) = early_return(source, &test) {
                findings.push(Finding::new(
                    "early-return",
                    path,
                    source.line(offset),
                    format!("{} may pass without asserting: make what it needs, or fail", test.name),
                ));
            }
        }
    }
    findings
}

/// The first `return` of the test's own body that no assertion comes before.
fn early_return(source: &Source, test: &TestFn<'_>) -> Option<usize> {
    let code = source.code();
    for (offset, word) in source.words().filter(|(offset, _)| test.body.contains(offset)) {
        if is_assertion(word) {
            return None;
        }
        if word == "return" && !in_inner_body(&code[test.body.start..offset]) {
            return Some(offset);
        }
    }
    None
}

fn is_assertion(word: &str) -> bool {
    ["assert", "debug_assert", "prop_assert", "check", "expect_"].iter().any(|start| word.starts_with(start))
        || matches!(word, "panic" | "unreachable" | "proptest")
}

/// Whether the end of `before` is inside a closure, an async block or an inner function.
fn in_inner_body(before: &str) -> bool {
    let mut open = Vec::new();
    for (offset, byte) in before.bytes().enumerate() {
        match byte {
            b'{' => open.push(begins_inner_body(&before[..offset])),
            b'}' => drop(open.pop()),
            _ => {}
        }
    }
    open.contains(&true)
}

/// Whether a brace after this text opens a body that has its own `return`.
fn begins_inner_body(before: &str) -> bool {
    let before = before.trim_end();
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    let first_words = || statement.split(|c: char| !c.is_alphanumeric() && c != '_');
    before.ends_with('|')
        || before.ends_with("async")
        || before.ends_with("async move")
        || (statement.contains("->") && statement.contains('|'))
        || first_words().any(|word| word == "fn")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> bool {
        let tree = Tree::new([("a.rs".to_owned(), format!("#[test]\nfn a() {{\n{body}\n}}"))]);
        !check(&tree).is_empty()
    }

    #[test]
    fn a_return_before_the_first_assertion_is_found() {
        assert!(found("if !Path::new(\"x\").exists() { return; }\nassert!(b());"));
        assert!(found("let Some(x) = y else { return Ok(()) };\nassert_eq!(x, 1);"));
        assert!(found("for a in b { return; }"));
    }

    #[test]
    fn a_return_after_an_assertion_or_of_an_inner_body_is_fine() {
        assert!(!found("assert!(a); if b { return; } assert!(c);"));
        assert!(!found("let f = |x| { return x; }; assert_eq!(f(1), 1);"));
        assert!(!found("let f = |x: u8| -> u8 { return x; }; assert_eq!(f(1), 1);"));
        assert!(!found("let f = async move { return 1; }; assert!(f.await);"));
        assert!(!found("fn inner() -> u8 { return 1; } assert_eq!(inner(), 1);"));
        assert!(!found("check(\"return\", 1);"));
    }

    #[test]
    fn the_line_is_that_of_the_return() {
        let tree = Tree::of([(
            "a.rs",
            "#[tokio::test]\nasync fn a() {\n  if b {\n    return;\n  }\n  assert!(c);\n}",
        )]);
        assert_eq!(check(&tree).into_iter().map(|f| f.line).collect::<Vec<_>>(), [4]);
    }
}

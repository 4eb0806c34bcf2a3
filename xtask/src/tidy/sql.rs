//! SQL lives in the store.

use super::Finding;
use super::tree::Tree;

/// How a statement begins, as our SQL is written: keywords in upper case.
const BEGINNINGS: [&[&str]; 11] = [
    &["SELECT"],
    &["WITH", "RECURSIVE"],
    &["INSERT", "INTO"],
    &["INSERT", "OR"],
    &["DELETE", "FROM"],
    &["CREATE", "TABLE"],
    &["ALTER", "TABLE"],
    &["DROP", "TABLE"],
    &["BEGIN", "IMMEDIATE"],
    &["PRAGMA"],
    &["VACUUM"],
];

/// Rule `sql`: no string that holds an SQL statement outside signet-store, tests apart.
pub(crate) fn sql_outside_store(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        let watched = path.starts_with("crates/") && !path.starts_with("crates/signet-store/");
        if !watched || tree.is_test_only(path) {
            continue;
        }
        for (offset, literal) in source.literals() {
            if !source.in_tests(offset) && is_sql(literal) {
                findings.push(Finding::new(
                    "sql",
                    path,
                    source.line(offset),
                    "SQL outside signet-store: make it a function of the store that takes a transaction",
                ));
            }
        }
    }
    findings
}

fn is_sql(literal: &str) -> bool {
    let words: Vec<&str> =
        literal.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let begins =
        BEGINNINGS.iter().any(|beginning| words.starts_with(beginning) && words.len() > beginning.len());
    let updates = words.first() == Some(&"UPDATE") && words.contains(&"SET");
    begins || updates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_from_sentences() {
        for sql in [
            "SELECT 1",
            "\n  SELECT a FROM b",
            "UPDATE memories SET pinned = 1",
            "INSERT OR IGNORE INTO a",
            "PRAGMA quick_check",
            "DELETE FROM a",
        ] {
            assert!(is_sql(sql), "{sql}");
        }
        for words in
            ["SELECT", "Select a memory", "UPDATE", "UPDATE the docs", "DELETE", "/api/memory", "INSERT COIN"]
        {
            assert!(!is_sql(words), "{words}");
        }
    }

    #[test]
    fn only_product_code_outside_the_store_is_watched() {
        let statement = "const A: &str = \"SELECT 1 FROM a\";";
        let tree = Tree::of([
            ("crates/signet-store/src/a.rs", statement),
            ("crates/signet-recall/src/a.rs", "// SELECT 1 FROM a\nconst A: &str = \"SELECT 1 FROM a\";"),
            ("crates/signet-recall/tests/a.rs", statement),
            ("crates/signet/src/b.rs", "#[cfg(test)]\nmod tests { const A: &str = \"SELECT 1 FROM a\"; }"),
        ]);
        let found: Vec<_> = sql_outside_store(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(found, [("crates/signet-recall/src/a.rs".to_owned(), 2)]);
    }
}

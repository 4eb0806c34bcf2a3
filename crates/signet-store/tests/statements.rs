//! Every SQL statement in the sources prepares against the schema, whether a test runs it or not.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use signet_store::testing::TestStore;

const VERBS: [&str; 5] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];

#[test]
fn every_statement_prepares() {
    let store = TestStore::new();
    let raw = store.raw();
    // Made at run time, with the dimensions of the active profile.
    raw.execute_batch(
        "CREATE VIRTUAL TABLE vec_embeddings USING vec0(rid INTEGER PRIMARY KEY, agent_id TEXT PARTITION KEY,
           source_type TEXT, embedding FLOAT[4] distance_metric=cosine, chunk_size=256)",
    )
    .unwrap();
    let mut failures = Vec::new();
    let mut count = 0;
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for literal in literals(product_code(&text)) {
            // What is put together at run time has braces, and is prepared by the tests that run it.
            if !VERBS.iter().any(|verb| literal.starts_with(verb)) || literal.contains('{') {
                continue;
            }
            count += 1;
            // A statement that a predicate is added to.
            let whole = if literal.ends_with("AND ") { format!("{literal}1") } else { literal.clone() };
            if let Err(error) = raw.prepare(&whole) {
                failures.push(format!("{}: {error}\n  {literal}", file.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 80, "only {count} statements were found");
}

/// Source files of the product.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "testing" {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !["tests.rs", "test_support.rs", "testing.rs"].contains(&name.as_str())
        {
            found.push(path);
        }
    }
    found
}

/// The text before the tests of a file.
fn product_code(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default()
}

/// Values of the string literals in Rust code.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let tail = &rest[at..];
        rest = if tail.starts_with("//") {
            tail.find('\n').map_or("", |end| &tail[end..])
        } else if let Some(after) = tail.strip_prefix("'\"'").or_else(|| tail.strip_prefix("'\\\"'")) {
            after
        } else if let Some(body) = tail.strip_prefix('"') {
            let hashes = rest[..at].bytes().rev().take_while(|byte| *byte == b'#').count();
            let raw = rest[..at - hashes].ends_with('r');
            let (value, after) = if raw { raw_literal(body, hashes) } else { literal(body) };
            found.push(value);
            after
        } else {
            &tail[1..]
        };
    }
    found
}

/// A literal without escapes, up to its quote and as many hashes as it began with.
fn raw_literal(body: &str, hashes: usize) -> (String, &str) {
    let end = format!("\"{}", "#".repeat(hashes));
    body.split_once(&end).map_or_else(|| (body.to_owned(), ""), |(value, rest)| (value.to_owned(), rest))
}

/// An ordinary literal. A backslash at the end of a line swallows the break and the indentation.
fn literal(body: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = body.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return (value, &body[at + 1..]),
            '\\' => match chars.next() {
                Some((next, '\n')) => {
                    let indent = body[next + 1..].len() - body[next + 1..].trim_start().len();
                    for _ in 0..body[next + 1..next + 1 + indent].chars().count() {
                        chars.next();
                    }
                }
                Some((_, 'n')) => value.push('\n'),
                Some((_, escaped)) => value.push(escaped),
                None => {}
            },
            other => value.push(other),
        }
    }
    (value, "")
}

#[test]
fn literals_are_read_as_the_compiler_reads_them() {
    let code = r#"
        // "a comment"
        let quote = '"';
        let plain = "SELECT \"a\" \
                     FROM b";
        let raw = r"SELECT c";
    "#;
    assert_eq!(literals(code), ["SELECT \"a\" FROM b", "SELECT c"]);
}

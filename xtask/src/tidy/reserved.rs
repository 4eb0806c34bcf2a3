//! What only one place may use: external crates, the constructor of scopes, the writer.

use super::Finding;
use super::edges::Metadata;
use super::tree::Tree;

/// External crates, and the crates of ours that may depend on them.
const EXTERNAL: [(&str, &[&str]); 4] = [
    ("rusqlite", &["signet-store"]),
    ("sqlite-vec", &["signet-store"]),
    ("axum", &["signet-server"]),
    ("reqwest", &["signet-provider", "signet-client", "signet"]),
];

/// Rule `external`: SQLite, the web framework and the HTTP client each stay behind one door.
pub(crate) fn external_crates(metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &metadata.packages {
        for name in package.depends_on() {
            let Some((_, holders)) = EXTERNAL.iter().find(|(external, _)| *external == name) else {
                continue;
            };
            if !holders.contains(&package.name.as_str()) {
                findings.push(Finding::new(
                    "external",
                    &package.manifest(),
                    0,
                    format!(
                        "{name} belongs to {}: call what that crate offers, or make it a dev-dependency",
                        holders.join(", ")
                    ),
                ));
            }
        }
    }
    findings
}

/// Where a scope is granted: authentication, and the check that puts a request's words to it.
const GRANTS: [&str; 2] = ["crates/signet-server/src/auth", "crates/signet-server/src/middleware/scope.rs"];

/// Rule `scope`: only authentication makes an `AgentScope`; tests may.
pub(crate) fn scope_constructor(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        if GRANTS.iter().any(|grants| path.starts_with(grants)) || tree.is_test_only(path) {
            continue;
        }
        for (offset, _) in source.code().match_indices("AgentScope::granted") {
            if !source.in_tests(offset) {
                findings.push(Finding::new(
                    "scope",
                    path,
                    source.line(offset),
                    "only authentication grants a scope (INV-8): take the scope as a parameter",
                ));
            }
        }
    }
    findings
}

/// Rule `read-only`: recall never names a handle that can write; its tests may, to make rows to find.
pub(crate) fn writer_under_recall(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust().filter(|(path, _)| path.starts_with("crates/signet-recall/src/")) {
        for (offset, word) in source.words() {
            if matches!(word, "Writer" | "WriteTx") && !tree.is_test_only(path) && !source.in_tests(offset) {
                findings.push(Finding::new(
                    "read-only",
                    path,
                    source.line(offset),
                    format!("recall holds no {word} (INV-6): let the caller record what the answer asks for"),
                ));
            }
        }
    }
    findings
}

/// Searches of the store, which recall alone turns into answers.
const SEARCHES: [&str; 2] = ["fts::search", "nearest::nearest"];

/// Rule `one-recall`: surfaces translate, they do not find or order (INV-5).
pub(crate) fn searches(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        let finds =
            ["crates/signet-recall/", "crates/signet-store/"].iter().any(|home| path.starts_with(home));
        if finds || tree.is_test_only(path) {
            continue;
        }
        for search in SEARCHES {
            for (offset, _) in source.code().match_indices(search) {
                if !source.in_tests(offset) {
                    let says = format!("{search} belongs to signet-recall (INV-5): ask recall");
                    findings.push(Finding::new("one-recall", path, source.line(offset), says));
                }
            }
        }
    }
    findings
}

/// Rule `environment`: only the binary reads it; everything below gets a plain setting.
pub(crate) fn environment(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        let below = path.starts_with("crates/") && !path.starts_with("crates/signet/");
        if !below || tree.is_test_only(path) {
            continue;
        }
        for (offset, word) in source.words() {
            let from_env = source.code()[..offset].ends_with("env::");
            if from_env && word.starts_with("var") && !source.in_tests(offset) {
                let says = "only the binary reads the environment (INV-10): take a plain setting";
                findings.push(Finding::new("environment", path, source.line(offset), says));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::edges::tests::package;
    use super::*;

    #[test]
    fn an_external_crate_outside_its_home_is_named() {
        let packages = vec![
            package("signet-store", &["rusqlite"], &[]),
            package("signet-recall", &["rusqlite"], &["axum"]),
            package("signet", &["reqwest", "axum"], &[]),
        ];
        let found: Vec<_> =
            external_crates(&Metadata { packages }).into_iter().map(|f| (f.path, f.says)).collect();
        assert_eq!(
            found
                .iter()
                .map(|(path, says)| (path.as_str(), says.split(':').next().unwrap_or_default()))
                .collect::<Vec<_>>(),
            [
                ("crates/signet-recall/Cargo.toml", "rusqlite belongs to signet-store"),
                ("crates/signet/Cargo.toml", "axum belongs to signet-server"),
            ]
        );
    }

    /// INV-8: no scope comes from anywhere but authentication.
    #[test]
    fn a_scope_granted_outside_authentication_is_found() {
        let tree = Tree::of([
            ("crates/signet-server/src/auth/scope.rs", "fn a() { AgentScope::granted(x) }"),
            ("crates/signet-server/src/http/a.rs", "fn a() {\n  AgentScope::granted(x)\n}"),
            (
                "crates/signet-store/src/b.rs",
                "/// [`AgentScope::granted`]\n#[cfg(test)] mod tests { fn a() { AgentScope::granted(x) } }",
            ),
            ("crates/signet-store/tests/c.rs", "fn a() { AgentScope::granted(x) }"),
        ]);
        let found: Vec<_> = scope_constructor(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(found, [("crates/signet-server/src/http/a.rs".to_owned(), 2)]);
    }

    /// INV-6: recall cannot write, because it never names what can.
    #[test]
    fn a_writer_under_recall_is_found() {
        let tree = Tree::of([
            (
                "crates/signet-recall/src/plan.rs",
                "use signet_store::{Reader, Writer};\n// a WriteTx\nfn a(tx: &WriteTx) {}",
            ),
            ("crates/signet-recall/tests/a.rs", "use signet_store::Writer;"),
            ("crates/signet-server/src/a.rs", "use signet_store::Writer;"),
        ]);
        let found: Vec<_> = writer_under_recall(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(
            found,
            [
                ("crates/signet-recall/src/plan.rs".to_owned(), 1),
                ("crates/signet-recall/src/plan.rs".to_owned(), 3)
            ]
        );
    }

    /// INV-10: nothing below the binary depends on what happens to be set on a machine.
    #[test]
    fn a_variable_read_below_the_binary_is_found() {
        let tree = Tree::of([
            ("crates/signet/src/env.rs", "fn a() { std::env::var(\"A\") }"),
            ("crates/signet-store/src/a.rs", "fn a() {\n  env::var_os(\"A\");\n  std::env::temp_dir();\n}"),
            ("crates/signet-store/tests/a.rs", "fn a() { std::env::var(\"A\") }"),
        ]);
        let found: Vec<_> = environment(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(found, [("crates/signet-store/src/a.rs".to_owned(), 2)]);
    }

    /// INV-5: there is no second way from a question to memories.
    #[test]
    fn a_search_outside_recall_is_found() {
        let call = "fn a() { derived::fts::search(tx, &search) }";
        let tree = Tree::of([
            ("crates/signet-recall/src/a.rs", call),
            ("crates/signet-store/src/a.rs", call),
            ("crates/signet-server/src/a.rs", "use x;\nfn a() { nearest::nearest(tx, &query) }"),
            ("crates/signet-server/tests/a.rs", call),
        ]);
        let found: Vec<_> = searches(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(found, [("crates/signet-server/src/a.rs".to_owned(), 2)]);
    }
}

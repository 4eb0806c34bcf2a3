//! The files of the repository, read once, as paths and texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::rust::Source;

/// Text files that may hold something a rule looks at.
const EXTENSIONS: [&str; 8] = ["rs", "sql", "md", "toml", "yaml", "yml", "json", "sh"];

/// Every text file of the repository by its path from the root.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    texts: BTreeMap<String, String>,
    rust: BTreeMap<String, Source>,
    /// Rust files that are only compiled for tests.
    test_only: BTreeSet<String>,
}

impl Tree {
    /// Reads what git knows, tracked or new, without what it ignores.
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .current_dir(root)
            .output()
            .context("running git ls-files")?;
        ensure!(listed.status.success(), "git ls-files failed: {}", String::from_utf8_lossy(&listed.stderr));
        let mut texts = Vec::new();
        for path in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|path| is_text(path)) {
            // A file that is deleted but not yet committed is still listed.
            if let Ok(bytes) = std::fs::read(root.join(path)) {
                texts.push((path.to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
        Ok(Self::new(texts))
    }

    /// A tree of these paths and texts.
    pub(crate) fn new(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        let texts: BTreeMap<_, _> = texts.into_iter().collect();
        let rust: BTreeMap<_, _> = texts
            .iter()
            .filter(|(path, _)| extension(path) == Some("rs"))
            .map(|(path, text)| (path.clone(), Source::parse(text)))
            .collect();
        let test_only = test_only(&rust);
        Self { texts, rust, test_only }
    }

    /// How many files.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// All files in the order of their paths.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// All Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.rust.iter().map(|(path, source)| (path.as_str(), source))
    }

    /// Whether the whole file is only compiled for tests.
    pub(crate) fn is_test_only(&self, path: &str) -> bool {
        self.test_only.contains(path)
    }
}

/// What stands after the last dot of the file's name.
pub(crate) fn extension(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.rsplit_once('.').map(|(_, extension)| extension)
}

fn is_text(path: &str) -> bool {
    // Scripts have no extension here.
    extension(path).map_or(!path.is_empty() && path != "LICENSE", |extension| EXTENSIONS.contains(&extension))
}

/// Integration tests, `tests.rs` files, and modules declared under `#[cfg(test)]`.
fn test_only(rust: &BTreeMap<String, Source>) -> BTreeSet<String> {
    let mut roots = BTreeSet::new();
    for (path, source) in rust {
        let folder = match path.rsplit_once('/') {
            Some((folder, "lib.rs" | "main.rs")) => folder.to_owned(),
            _ => path.trim_end_matches(".rs").to_owned(),
        };
        roots.extend(source.test_modules().map(|module| format!("{folder}/{module}")));
    }
    let of_root = |path: &str| {
        roots.iter().any(|root| {
            path.strip_prefix(root.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    };
    rust.keys()
        .filter(|path| path.split('/').any(|part| part == "tests" || part == "tests.rs") || of_root(path))
        .cloned()
        .collect()
}

#[cfg(test)]
impl Tree {
    /// A tree of literals, for the tests of the rules.
    pub(crate) fn of<const N: usize>(texts: [(&str, &str); N]) -> Self {
        Self::new(texts.map(|(path, text)| (path.to_owned(), text.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_declared_under_cfg_test_is_test_only_with_its_children() {
        let tree = Tree::of([
            ("crates/a/src/lib.rs", "#[cfg(test)]\nmod support;\nmod real;"),
            ("crates/a/src/support.rs", ""),
            ("crates/a/src/support/deep.rs", ""),
            ("crates/a/src/supporting.rs", ""),
            ("crates/a/src/real.rs", "#[cfg(test)] mod tests;"),
            ("crates/a/src/real/tests.rs", ""),
            ("crates/a/tests/whole.rs", ""),
        ]);
        let test_only: Vec<_> =
            tree.rust().map(|(path, _)| path).filter(|path| tree.is_test_only(path)).collect();
        assert_eq!(
            test_only,
            [
                "crates/a/src/real/tests.rs",
                "crates/a/src/support.rs",
                "crates/a/src/support/deep.rs",
                "crates/a/tests/whole.rs",
            ]
        );
    }

    #[test]
    fn scripts_and_documents_are_read_and_pictures_are_not() {
        let read: Vec<_> = [".ci/run", "a/b.rs", "README.md", "assets/x.zst", "LICENSE", "crates/x"]
            .into_iter()
            .filter(|path| is_text(path))
            .collect();
        assert_eq!(read, [".ci/run", "a/b.rs", "README.md", "crates/x"]);
    }
}

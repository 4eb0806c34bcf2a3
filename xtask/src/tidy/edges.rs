//! Which crate may depend on which. An edge that is not listed is argued in ARCHITECTURE.md first.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::Finding;

/// What each of our crates may depend on among our crates.
const ALLOWED: [(&str, &[&str]); 9] = [
    ("signet-model", &[]),
    ("signet-store", &["signet-model"]),
    ("signet-provider", &["signet-model"]),
    ("signet-recall", &["signet-model", "signet-provider", "signet-store"]),
    ("signet-workers", &["signet-model", "signet-provider", "signet-store"]),
    ("signet-server", &["signet-model", "signet-recall", "signet-store"]),
    ("signet-client", &[]),
    (
        "signet",
        &[
            "signet-client",
            "signet-model",
            "signet-provider",
            "signet-recall",
            "signet-server",
            "signet-store",
            "signet-workers",
        ],
    ),
    ("xtask", &[]),
];

/// The part of `cargo metadata` that the rules read.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
}

/// A workspace member.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A line of a member's dependency tables; `kind` is `None` for a normal one.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
}

impl Package {
    /// Names of the normal dependencies: what the shipped crate knows.
    pub(crate) fn depends_on(&self) -> impl Iterator<Item = &str> {
        self.dependencies.iter().filter(|d| d.kind.is_none()).map(|d| d.name.as_str())
    }

    /// Where the package's manifest lies.
    pub(crate) fn manifest(&self) -> String {
        if self.name == "xtask" {
            "xtask/Cargo.toml".to_owned()
        } else {
            format!("crates/{}/Cargo.toml", self.name)
        }
    }
}

/// Asks cargo for the members of the workspace.
pub(crate) fn metadata(root: &Path) -> Result<Metadata> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let out = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("running cargo metadata")?;
    ensure!(out.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).context("reading cargo metadata")
}

/// Rule `edge`: our crates depend on one another only as listed.
pub(crate) fn check(metadata: &Metadata) -> Vec<Finding> {
    let ours = |name: &str| ALLOWED.iter().any(|(known, _)| *known == name);
    let mut findings = Vec::new();
    for package in &metadata.packages {
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == package.name) else {
            findings.push(Finding::new(
                "edge",
                &package.manifest(),
                0,
                format!(
                    "{} is not in the table of crates: argue for it in ARCHITECTURE.md and add its row",
                    package.name
                ),
            ));
            continue;
        };
        for name in package.depends_on().filter(|name| ours(name) && !allowed.contains(name)) {
            findings.push(Finding::new(
                "edge",
                &package.manifest(),
                0,
                format!(
                    "{} may not depend on {name}: go through a port in signet-model, or move the code",
                    package.name
                ),
            ));
        }
    }
    findings
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn package(name: &str, normal: &[&str], dev: &[&str]) -> Package {
        let line = |kind: Option<&str>| {
            let kind = kind.map(str::to_owned);
            move |name: &&str| Dependency { name: (*name).to_owned(), kind: kind.clone() }
        };
        let dependencies = normal.iter().map(line(None)).chain(dev.iter().map(line(Some("dev")))).collect();
        Package { name: name.to_owned(), dependencies }
    }

    fn findings(packages: Vec<Package>) -> Vec<String> {
        check(&Metadata { packages }).iter().map(ToString::to_string).collect()
    }

    /// INV-1: the store cannot call a provider, because it does not know one.
    #[test]
    fn the_store_may_not_know_providers() {
        assert_eq!(
            findings(vec![package("signet-store", &["signet-model", "signet-provider", "serde"], &[])]),
            ["crates/signet-store/Cargo.toml: [edge] signet-store may not depend on signet-provider: \
              go through a port in signet-model, or move the code"]
        );
    }

    /// INV-12: server and workers meet in the queue and nowhere else.
    #[test]
    fn server_and_workers_may_not_know_each_other() {
        let both = vec![
            package("signet-server", &["signet-workers"], &[]),
            package("signet-workers", &["signet-server"], &[]),
        ];
        assert_eq!(findings(both).len(), 2);
    }

    #[test]
    fn listed_edges_and_edges_of_tests_are_fine() {
        let fine = vec![
            package(
                "signet-server",
                &["signet-model", "signet-recall", "signet-store", "axum"],
                &["signet-provider"],
            ),
            package("signet-client", &["reqwest"], &[]),
        ];
        assert_eq!(findings(fine), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_crate_is_named() {
        assert!(
            findings(vec![package("signet-extra", &[], &[])])[0].contains("signet-extra is not in the table")
        );
    }

    #[test]
    fn every_member_of_this_workspace_is_read() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut names: Vec<_> = metadata(&root)?.packages.into_iter().map(|package| package.name).collect();
        names.sort();
        let mut known: Vec<_> = ALLOWED.map(|(name, _)| name).to_vec();
        known.sort_unstable();
        assert_eq!(names, known);
        Ok(())
    }
}

//! The vocabulary knows no machine: signet-model builds for wasm32, or at least names nothing of the machine.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Finding;
use super::tree::Tree;

const RULE: &str = "portable";
const TARGET: &str = "wasm32-unknown-unknown";
const MODEL: &str = "crates/signet-model/src/";
const MACHINE: [&str; 7] = ["fs", "net", "thread", "env", "process", "os", "io"];

/// Rule `portable`, and how it was checked: with the compiler when the target is installed, else in the source.
pub(crate) fn check(root: &Path, tree: &Tree) -> Result<(Vec<Finding>, &'static str)> {
    let mut findings = machine_names(tree);
    if !target_installed()? {
        return Ok((findings, "checked in the source; the wasm32 target is not installed here"));
    }
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let built = Command::new(cargo)
        .args(["check", "--quiet", "--package", "signet-model", "--target", TARGET])
        .current_dir(root)
        .output()
        .context("running cargo check for wasm32")?;
    if !built.status.success() {
        let says =
            format!("signet-model does not build for {TARGET}:\n{}", String::from_utf8_lossy(&built.stderr));
        findings.push(Finding::new(RULE, "crates/signet-model/Cargo.toml", 0, says));
    }
    Ok((findings, "built for wasm32"))
}

fn target_installed() -> Result<bool> {
    let out = Command::new("rustc").args(["--print", "sysroot"]).output().context("running rustc")?;
    let sysroot = String::from_utf8_lossy(&out.stdout).trim().to_owned();
    Ok(Path::new(&sysroot).join("lib/rustlib").join(TARGET).join("lib").is_dir())
}

/// Uses of `std::fs` and its like in the product code of the model.
fn machine_names(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust().filter(|(path, _)| path.starts_with(MODEL)) {
        if tree.is_test_only(path) {
            continue;
        }
        for (offset, word) in source.words() {
            let after_std = source.code()[..offset].ends_with("std::");
            if after_std && MACHINE.contains(&word) && !source.in_tests(offset) {
                let says = format!("signet-model does no IO: std::{word} belongs to a crate above it");
                findings.push(Finding::new(RULE, path, source.line(offset), says));
            }
        }
        for (offset, _) in source.code().match_indices("std::{") {
            if !source.in_tests(offset) {
                let says = "import what is used from std one by one, so that this check can read it";
                findings.push(Finding::new(RULE, path, source.line(offset), says));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_found_in_code_and_not_in_comments_or_tests() {
        let tree = Tree::of([
            (
                "crates/signet-model/src/a.rs",
                "//! std::fs\nuse std::sync::Arc;\nuse std::fs::File;\n#[cfg(test)]\nmod tests { use std::env; }",
            ),
            ("crates/signet-store/src/a.rs", "use std::fs;"),
            ("crates/signet-model/src/b.rs", "use std::{net};"),
        ]);
        let found: Vec<_> = machine_names(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        assert_eq!(
            found,
            [("crates/signet-model/src/a.rs".to_owned(), 3), ("crates/signet-model/src/b.rs".to_owned(), 1)]
        );
    }
}

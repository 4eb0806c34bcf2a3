//! `cargo xtask tidy`: the rules of the repository that no compiler or lint keeps.
//!
//! A rule is a function from the [`Tree`] (or from `cargo metadata`) to findings; it reads no files
//! itself, so that its tests feed it small trees that break it.

mod citations;
mod edges;
mod finding;
mod invariants;
mod leftovers;
mod long_files;
mod names;
mod portable;
mod reserved;
mod rust;
mod schema;
mod sql;
mod test_bodies;
mod tree;

use std::process::ExitCode;

use anyhow::Result;

use crate::output::{complain, say};
use finding::Finding;
use tree::Tree;

/// Rules that look at files only.
const RULES: [fn(&Tree) -> Vec<Finding>; 12] = [
    names::forbidden_file_names,
    names::forbidden_words,
    reserved::scope_constructor,
    reserved::writer_under_recall,
    reserved::environment,
    reserved::searches,
    sql::sql_outside_store,
    schema::check,
    test_bodies::check,
    invariants::check,
    leftovers::check,
    citations::check,
];

/// Runs every rule over the workspace and prints what it found.
pub(crate) fn run() -> Result<ExitCode> {
    let root = crate::workspace_root()?;
    let tree = Tree::load(&root)?;
    let metadata = edges::metadata(&root)?;
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    findings.extend(edges::check(&metadata));
    findings.extend(reserved::external_crates(&metadata));
    let (portable, how) = portable::check(&root, &tree)?;
    findings.extend(portable);

    for (path, lines) in long_files::list(&tree) {
        say(&format!(
            "note: {path}: {lines} code lines; a file over {} may hold two things",
            long_files::LIMIT
        ));
    }
    say(&format!("note: signet-model without IO: {how}"));
    findings.sort();
    for finding in &findings {
        complain(&finding.to_string());
    }
    say(&format!("tidy: {} files, {} findings", tree.len(), findings.len()));
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

//! `signet --version`: number, commit, schema version.

use serde_json::json;
use signet_store::db::migrate::MIGRATIONS;

use super::cx::Cx;
use super::fail::Fail;

/// Number of this build.
pub(crate) const NUMBER: &str = env!("CARGO_PKG_VERSION");

/// Commit this build was made from; the release build sets it.
pub(crate) const COMMIT: Option<&str> = option_env!("SIGNET_COMMIT");

/// Newest migration of this build.
pub(crate) fn schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// Prints the version.
pub(crate) fn run(cx: &Cx) -> Result<(), Fail> {
    if cx.out.is_json() {
        return cx.out.json(&json!({ "version": NUMBER, "commit": COMMIT, "schemaVersion": schema() }));
    }
    let commit = COMMIT.map(|commit| format!(", commit {commit}")).unwrap_or_default();
    cx.out.line(&format!("signet {NUMBER} (schema {}{commit})", schema()))
}

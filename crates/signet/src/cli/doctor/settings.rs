//! The configuration, and secrets that stand in it.

use std::path::Path;

use super::{Finding, Level};
use crate::config::check::is_reference;
use crate::config::key::Kind;
use crate::config::{self, check, issue, secret};
use crate::env::Env;

/// Looks at the file.
pub(super) fn look(workspace: &Path, env: &Env) -> Vec<Finding> {
    let loaded = config::load(workspace, env);
    let mut findings: Vec<Finding> = loaded
        .issues
        .iter()
        .filter_map(|issue| {
            let level = match issue.level {
                issue::Level::Error => Level::Error,
                issue::Level::Warning => Level::Warn,
                issue::Level::Ignored => return None,
            };
            Some(Finding::new(level, "config", loaded.describe(issue)).fix("signet config check"))
        })
        .collect();
    for (path, effective) in &loaded.values {
        let Some(text) = effective.value.as_str() else { continue };
        let is_secret = check::leaf(path).is_some_and(|key| key.kind == Kind::Secret);
        if is_secret
            && is_reference(text)
            && let Err(why) = secret::resolve(text, workspace, env)
        {
            let message = format!("`{}`: {why}", path.replace(check::DOT, "."));
            findings.push(
                Finding::new(Level::Warn, "secret_missing", message)
                    .fix("set it where the daemon is started"),
            );
        }
    }
    if findings.is_empty() {
        let file = loaded.file.map_or("no file, all defaults".to_owned(), |file| file.display().to_string());
        findings.push(Finding::new(Level::Info, "config", format!("configuration is good: {file}")));
    }
    findings
}

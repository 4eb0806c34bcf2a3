//! Whose daemon answers: two workspaces may share a port in their configurations, and the one that was
//! started first has it. A command for the other one must not reach it.

use std::path::Path;

use serde_json::Value;

use crate::cli::fail::Fail;

/// Refuses when the daemon that gave this `/health` serves another workspace than `ours`.
///
/// A daemon tells its folder to callers of its own machine only; one that does not tell is believed.
pub(super) fn refuse_foreign(ours: &Path, url: &str, health: &Value) -> Result<(), Fail> {
    match health.get("agentsDir").and_then(Value::as_str) {
        Some(theirs) if !same(ours, theirs) => Err(foreign(ours, url, theirs)),
        Some(_) | None => Ok(()),
    }
}

fn foreign(ours: &Path, url: &str, theirs: &str) -> Fail {
    let ours = ours.display().to_string();
    let message = format!("the daemon at {url} serves the workspace {theirs}, not {ours}");
    Fail::with_exit(7, "other_workspace", message)
        .hint(format!(
            "give one of the two another port (`network.port` in its agent.yaml, or SIGNET_PORT), \
             or stop the other daemon: signet --workspace '{theirs}' daemon stop"
        ))
        .with("workspace", Value::String(ours))
        .with("otherWorkspace", Value::String(theirs.to_owned()))
}

/// Whether two paths lead to one folder; a folder that is gone is compared by its name.
fn same(ours: &Path, theirs: &str) -> bool {
    if ours.to_string_lossy() == theirs {
        return true;
    }
    match (std::fs::canonicalize(ours), std::fs::canonicalize(theirs)) {
        (Ok(ours), Ok(theirs)) => ours == theirs,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn another_folder_is_refused_and_another_name_of_ours_is_not() {
        let root = tempfile::tempdir().unwrap();
        let (ours, link) = (root.path().join("ours"), root.path().join("link"));
        std::fs::create_dir(&ours).unwrap();
        std::os::unix::fs::symlink(&ours, &link).unwrap();
        let ask = |theirs: &Path| {
            refuse_foreign(&ours, "http://127.0.0.1:1", &json!({ "agentsDir": theirs.to_str() }))
        };
        assert_eq!(ask(&ours), Ok(()));
        assert_eq!(ask(&link), Ok(()));
        assert_eq!(refuse_foreign(&ours, "http://127.0.0.1:1", &json!({})), Ok(()));
        let fail = ask(root.path()).unwrap_err();
        assert_eq!((fail.exit, fail.text("code")), (7, Some("other_workspace")));
        let said = fail.text("error").unwrap();
        assert!(said.contains(ours.to_str().unwrap()) && said.contains(root.path().to_str().unwrap()));
        assert!(ask(&root.path().join("gone")).is_err());
    }
}

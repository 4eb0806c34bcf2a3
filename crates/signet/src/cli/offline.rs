//! Commands that work without the daemon: they take its lock, so they and a daemon never meet.

use signet_store::StoreError;

use super::fail::Fail;

/// A failure of the store. A workspace that is in use: exit 5, naming the holder.
pub(crate) fn explain(error: StoreError) -> Fail {
    match error {
        StoreError::Locked(holder) => {
            Fail::with_exit(5, "workspace_in_use", format!("the workspace is in use by {holder}"))
                .hint("signet daemon stop")
        }
        StoreError::Unusable { path, reason, hint } => {
            Fail::with_exit(1, "unusable_database", format!("{path}: {reason}")).hint(hint)
        }
        StoreError::Io { path, source } => Fail::usage(format!("{path}: {source}")),
        other => Fail::from(signet_model::Error::from(other)),
    }
}

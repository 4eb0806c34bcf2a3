//! The kill switch.

use signet_model::{Code, Error};

use crate::AppState;

/// Lets a change of memories through, or 503 `mutations_frozen`.
pub(in crate::http) fn check(state: &AppState) -> Result<(), Error> {
    if state.gate.live.rules().mutations_frozen {
        return Err(Error::new(Code::MutationsFrozen, "Mutations are frozen (kill switch active)")
            .hint("set memory.pipelineV2.mutationsFrozen to false"));
    }
    Ok(())
}

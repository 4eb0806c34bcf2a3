//! The life-cycle guard: a daemon that goes down takes no new work but tells its health.

use signet_model::{Code, Error};

use crate::gate::Life;

/// 503 `shutting_down` on every path but `/health*` once the soft end was called.
pub fn check(life: &Life, path: &str) -> Result<(), Error> {
    let is_health = path == "/health" || path.starts_with("/health/");
    if life.soft.is_cancelled() && !is_health {
        return Err(Error::new(Code::ShuttingDown, "the daemon is shutting down"));
    }
    Ok(())
}

//! The one judgement of the daemon's health that every page shows.

use signet_model::embed::Availability;
use signet_store::db::damage::Check;

use crate::AppState;
use crate::probe::{Seen, look};

/// Free bytes below which the daemon is degraded: the log and a few thousand memories still fit.
const LOW_SPACE: u64 = 64 * 1024 * 1024;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    /// The look at the database.
    pub(super) seen: Seen,
    /// The file is held to be sound: no damage known and no check open.
    pub(super) sound: bool,
    /// The server takes no new work.
    pub(super) ending: bool,
    /// Why requests cannot be served; empty = they can.
    pub(super) blocking: Vec<String>,
    /// What is worse than it should be, beside that.
    pub(super) degrading: Vec<String>,
    /// What else is worth knowing.
    pub(super) remarks: Vec<String>,
}

impl Verdict {
    /// `healthy`, `degraded` or `shutting_down`.
    pub(super) fn word(&self) -> &'static str {
        if self.ending {
            "shutting_down"
        } else if self.blocking.is_empty() && self.degrading.is_empty() {
            "healthy"
        } else {
            "degraded"
        }
    }

    /// Every sentence, the gravest first.
    pub(super) fn reasons(&self) -> Vec<String> {
        [&self.blocking[..], &self.degrading[..], &self.remarks[..]].concat()
    }
}

/// Looks at database, embedding, configuration and workspace. Never fails: what cannot be seen is said.
pub(super) async fn judge(state: &AppState) -> Verdict {
    let seen = look(state).await;
    let health = state.health.report();
    let mut verdict = Verdict {
        seen,
        sound: health.damage.is_none() && matches!(health.check, Check::NotNeeded | Check::Passed),
        ending: state.gate.life.soft.is_cancelled(),
        blocking: Vec::new(),
        degrading: Vec::new(),
        remarks: Vec::new(),
    };
    if health.damage.is_some() {
        let text =
            "the database is damaged and served read-only; run `signet restore` with a verified backup";
        verdict.blocking.push(text.to_owned());
    } else if health.displaced {
        let text = "the database was moved or removed under the daemon, and nothing is stored; \
                    put it back or end the process and start the daemon again";
        verdict.blocking.push(text.to_owned());
    } else if !seen.writer {
        verdict.blocking.push("the database does not take writes".to_owned());
    }
    if !seen.reader {
        verdict.blocking.push("the database does not answer reads".to_owned());
    }
    if verdict.ending {
        verdict.blocking.push("the daemon is shutting down".to_owned());
    }
    match health.check {
        Check::Running => {
            verdict.remarks.push("the check after an unclean stop is still running".to_owned());
        }
        Check::Interrupted => {
            verdict.degrading.push("the check after an unclean stop did not come to its end".to_owned());
        }
        Check::NotNeeded | Check::Passed | Check::Failed => {}
    }
    verdict.degrading.extend(space(state.health.is_disk_full(), seen.free_bytes));
    // Without a provider there is nothing that could answer: a choice, not a fault.
    if let (Some(_), Availability::Down(_)) = (state.embedder.profile(), state.embedder.availability()) {
        verdict.degrading.push("the embedding provider does not answer; recall works by words".to_owned());
    }
    if !state.config_info().errors.is_empty() {
        verdict.degrading.push("agent.yaml has errors; the last good configuration runs".to_owned());
    }
    verdict.remarks.extend(state.info.workspace.report.warnings.iter().cloned());
    verdict
}

/// What there is to say of the space on the disk.
fn space(refused: bool, free_bytes: Option<u64>) -> Option<String> {
    if refused {
        return Some(
            "the disk is full and the last write was refused; free space, then write again".to_owned(),
        );
    }
    let free = free_bytes.filter(|free| *free < LOW_SPACE)?;
    Some(format!("only {} MiB are free on the disk; writes are refused once it is full", free >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_space_is_told_and_a_refused_write_before_it() {
        assert_eq!(space(false, None), None);
        assert_eq!(space(false, Some(LOW_SPACE)), None);
        let low = "only 63 MiB are free on the disk; writes are refused once it is full";
        assert_eq!(space(false, Some(LOW_SPACE - 1)).as_deref(), Some(low));
        assert!(space(true, Some(0)).is_some_and(|text| text.starts_with("the disk is full")));
    }
}

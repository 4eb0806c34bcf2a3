//! The daemon: running, silent or stopped; its version; its port.

use std::time::Duration;

use super::super::cx::Cx;
use super::super::daemon::status::{State, state};
use super::super::fail::Fail;
use super::super::session::Session;
use super::super::status;
use super::{Finding, Level};
use crate::{config, listen};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What was found, and the daemon when it can be asked more.
pub(super) struct Daemon<'c> {
    pub(super) findings: Vec<Finding>,
    pub(super) answers: Option<Session<'c>>,
}

/// Looks at the daemon. Never starts it.
pub(super) fn look(cx: &Cx, offline: bool) -> Result<Daemon<'_>, Fail> {
    if offline {
        return Ok(Daemon { findings: Vec::new(), answers: None });
    }
    let session = Session::probe(cx, PATIENCE)?;
    let url = session.url().to_owned();
    let mut findings = Vec::new();
    let answers = match state(&session) {
        State::Running(health) => {
            let word =
                health.get("status").and_then(serde_json::Value::as_str).unwrap_or("unknown").to_owned();
            let level = if word == "healthy" { Level::Info } else { Level::Warn };
            findings.push(Finding::new(level, "daemon", format!("daemon answers at {url}: {word}")));
            if let Err(skew) = status::skew(cx, &health) {
                let message = skew.text("error").unwrap_or_default().to_owned();
                findings
                    .push(Finding::new(Level::Error, "version_skew", message).fix("signet daemon restart"));
            }
            Some(session)
        }
        State::Silent(after) => {
            let message =
                format!("the daemon at {url} is busy or hung: silent for {:.0} s", after.as_secs_f32());
            findings.push(
                Finding::new(Level::Error, "daemon_not_answering", message).fix("signet daemon restart"),
            );
            None
        }
        State::Stopped => {
            findings.push(Finding::new(
                Level::Info,
                "daemon",
                "the daemon is stopped; it is started when needed",
            ));
            findings.extend(port(cx));
            None
        }
        State::Other(fail) => {
            let message = fail.text("error").unwrap_or("the daemon cannot be asked").to_owned();
            let fix = fail.text("hint").unwrap_or("signet daemon status").to_owned();
            findings.push(Finding::new(Level::Error, "daemon", message).fix(fix));
            None
        }
    };
    Ok(Daemon { findings, answers })
}

/// Whether the daemon could listen; the sockets are given back at once.
fn port(cx: &Cx) -> Option<Finding> {
    let settings = config::load(&cx.workspace().ok()?.root, &cx.env).settings?;
    let fail = listen::bind(&settings.network).err()?;
    let finding = Finding::new(Level::Error, "port", fail.text("error").unwrap_or("the port cannot be used"));
    Some(finding.fix(fail.text("hint").unwrap_or("choose another `network.port`")))
}

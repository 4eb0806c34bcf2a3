//! Why a command did not do what was asked: one sentence, a code, a hint, and the exit code.

use serde_json::{Map, Value, json};
use signet_client::{ApiError, Failure};
use signet_model::{Code, Error, ErrorKind};

/// A failed command.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fail {
    /// Exit code of the process (cli.md section 3).
    pub(crate) exit: u8,
    /// `{error, code, hint?}`; what `--json` prints.
    pub(crate) body: Value,
}

impl Fail {
    /// A refusal with a code of the catalogue.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self::with_exit(code.kind().exit_code(), code.as_str(), message)
    }

    /// A refusal of the command line itself, with a code of its own.
    pub(crate) fn with_exit(exit: u8, code: &str, message: impl Into<String>) -> Self {
        Self { exit, body: json!({ "error": message.into(), "code": code }) }
    }

    /// Wrong usage: exit 2.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidRequest, message)
    }

    /// Something on this machine failed: exit 1.
    pub(crate) fn local(message: impl Into<String>) -> Self {
        Self::with_exit(1, Code::Internal.as_str(), message)
    }

    /// The command ran and its findings are not all good: exit 8, everything is printed already.
    pub(crate) fn findings() -> Self {
        Self { exit: 8, body: Value::Null }
    }

    /// The reader of our output went away: no fault.
    pub(crate) fn pipe_closed() -> Self {
        Self { exit: 0, body: Value::Null }
    }

    /// Adds what to do.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Value::Object(body) = &mut self.body {
            body.insert("hint".to_owned(), Value::String(hint.into()));
        }
        self
    }

    /// Adds a fact.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        if let Value::Object(body) = &mut self.body {
            body.insert(key.to_owned(), value);
        }
        self
    }

    /// Whether there is nothing left to say.
    pub(crate) fn is_silent(&self) -> bool {
        self.body.is_null()
    }

    /// A text of the body.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.body.get(key)?.as_str()
    }
}

/// Exit code of a refusal of the daemon: by its code, else by its status.
fn exit_of(error: &ApiError) -> u8 {
    let known = Code::ALL.iter().find(|code| code.as_str() == error.code);
    let kind = known.map_or_else(|| kind_of_status(error.status), |code| code.kind());
    kind.exit_code()
}

fn kind_of_status(status: u16) -> ErrorKind {
    match status {
        401 => ErrorKind::Unauthenticated,
        403 => ErrorKind::Forbidden,
        404 => ErrorKind::NotFound,
        409 => ErrorKind::Conflict,
        410 => ErrorKind::Gone,
        413 => ErrorKind::TooLarge,
        429 => ErrorKind::RateLimited,
        500 => ErrorKind::Internal,
        502 => ErrorKind::Provider,
        503 => ErrorKind::Unavailable,
        504 => ErrorKind::Timeout,
        _ => ErrorKind::Invalid,
    }
}

impl From<Failure> for Fail {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::Api(error) => {
                let pinned = error.code == Code::PinnedRequiresForce.as_str();
                let fail = Self { exit: exit_of(&error), body: error.body };
                if pinned { fail.hint("add --force to mean pinned memories too") } else { fail }
            }
            Failure::Refused { .. } => {
                Self::with_exit(7, "daemon_stopped", format!("the daemon is stopped: {message}"))
                    .hint("signet daemon start")
            }
            Failure::Silent { .. } => Self::with_exit(7, "daemon_not_answering", message).hint(
                "it is busy or hung: wait and try again, raise --timeout, or run `signet daemon restart`",
            ),
            Failure::Unreachable { .. } => Self::with_exit(7, "daemon_unreachable", message),
            Failure::NotSignet { .. } => Self::with_exit(7, "not_signet", message)
                .hint("set `network.port` in agent.yaml or SIGNET_PORT to a free port"),
            Failure::BadUrl { .. } => Self::usage(message),
        }
    }
}

impl From<Error> for Fail {
    fn from(error: Error) -> Self {
        let mut body = Map::new();
        body.insert("error".to_owned(), json!(error.message));
        body.insert("code".to_owned(), json!(error.code.as_str()));
        if let Some(hint) = &error.hint {
            body.insert("hint".to_owned(), json!(hint));
        }
        Self { exit: error.kind().exit_code(), body: Value::Object(body) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_follow_code_then_status() {
        let exit = |status, code: &str| {
            let body = json!({"error": "x", "code": code});
            Fail::from(Failure::Api(ApiError {
                status,
                code: code.to_owned(),
                message: "x".to_owned(),
                hint: None,
                body,
            }))
            .exit
        };
        assert_eq!(exit(400, "invalid_request"), 2);
        assert_eq!(exit(401, "token_expired"), 3);
        assert_eq!(exit(404, "not_found"), 4);
        assert_eq!(exit(409, "version_conflict"), 5);
        assert_eq!(exit(503, "overloaded"), 6);
        assert_eq!(exit(503, "disk_full"), 7);
        assert_eq!(exit(500, "corrupt"), 1);
        assert_eq!(exit(429, "of another version"), 6);
        assert_eq!(exit(504, "of another version"), 7);
    }

    #[test]
    fn slow_is_never_called_stopped() {
        let url = "http://127.0.0.1:3850".to_owned();
        let stopped = Fail::from(Failure::Refused { url: url.clone() });
        let slow = Fail::from(Failure::Silent { url, after: std::time::Duration::from_secs(6) });
        assert_eq!((stopped.exit, stopped.text("code")), (7, Some("daemon_stopped")));
        assert_eq!((slow.exit, slow.text("code")), (7, Some("daemon_not_answering")));
        assert!(!slow.text("error").unwrap().contains("nothing listens"));
    }
}

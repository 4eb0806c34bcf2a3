//! Why a call gave no answer, told apart: stopped, slow, unreachable, refused.

use std::time::Duration;

use serde_json::Value;

/// The daemon's own refusal.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// HTTP status.
    pub status: u16,
    /// Stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The whole body.
    pub body: Value,
}

/// A call without a usable answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// Nobody listens there.
    #[error("nothing listens at {url}")]
    Refused {
        /// Address.
        url: String,
    },
    /// Somebody listens and did not answer in time.
    #[error("{url} did not answer within {} s", .after.as_secs_f32())]
    Silent {
        /// Address.
        url: String,
        /// How long was waited.
        after: Duration,
    },
    /// The address does not lead anywhere, or the connection broke.
    #[error("{url} cannot be reached: {cause}")]
    Unreachable {
        /// Address.
        url: String,
        /// Why.
        cause: String,
    },
    /// The address is no http or https address.
    #[error("`{url}` is no http or https address")]
    BadUrl {
        /// Address.
        url: String,
    },
    /// Somebody answered, but not a Signet daemon.
    #[error("{url} answered {status} without JSON; is another program listening there?")]
    NotSignet {
        /// Address.
        url: String,
        /// HTTP status.
        status: u16,
    },
    /// The daemon refuses.
    #[error(transparent)]
    Api(#[from] ApiError),
}

impl ApiError {
    /// Reads `{error, code, hint}`; `None` when the body has another form.
    pub(crate) fn read(status: u16, body: Value) -> Option<Self> {
        let message = body.get("error")?.as_str()?.to_owned();
        let text = |key: &str| body.get(key).and_then(Value::as_str).map(str::to_owned);
        let code = text("code").unwrap_or_else(|| "unknown".to_owned());
        let hint = text("hint");
        Some(Self { status, code, message, hint, body })
    }
}

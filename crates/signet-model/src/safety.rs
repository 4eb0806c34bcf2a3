//! Content safety: whether a stored text may enter a prompt, and what must not leave the machine.
//!
//! Owns the policy: what is found in a text, under which reason, and what lifts a finding.
//! It never filters storage and never edits evidence: [`scan`] judges, [`redact`] makes a copy.
//! Patterns are compiled at the first use, so that starting costs nothing.

mod exempt;
mod forms;
mod invisible;
mod language;
mod rules;
mod secret;

pub use secret::{REDACTED, redact};

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

/// Why a text may not enter a prompt. The order is that of the stored list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    PromptInjection,
    Exfiltration,
    CredentialHarvesting,
    MaliciousShell,
    ToolDirective,
    InvisibleUnicode,
}

impl Reason {
    const fn as_str(self) -> &'static str {
        match self {
            Self::PromptInjection => "prompt_injection",
            Self::Exfiltration => "exfiltration",
            Self::CredentialHarvesting => "credential_harvesting",
            Self::MaliciousShell => "malicious_shell",
            Self::ToolDirective => "tool_directive",
            Self::InvisibleUnicode => "invisible_unicode",
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
pub fn scan(text: &str) -> Verdict {
    let mut reasons = rules::broken(text);
    if invisible::found(text) {
        reasons.insert(Reason::InvisibleUnicode);
    }
    let only_invisible = reasons.iter().all(|reason| *reason == Reason::InvisibleUnicode);
    let status = match (reasons.is_empty(), only_invisible) {
        (true, _) => SafetyStatus::Clean,
        (false, true) => SafetyStatus::Tainted,
        (false, false) => SafetyStatus::Blocked,
    };
    let reasons = reasons.into_iter().map(Reason::as_str).collect();
    Verdict { status, reasons, has_secret: secret::found(text) }
}

#[cfg(test)]
mod tests;

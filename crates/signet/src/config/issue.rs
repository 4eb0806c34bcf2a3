//! What is wrong with a configuration, where, and what to do about it.

use std::fmt;

/// A position in the file, counted from 1. Line 0 = not in the file (an environment variable).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place {
    /// Line.
    pub(crate) line: usize,
    /// Column in characters.
    pub(crate) column: usize,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// The daemon does not start.
    Error,
    /// It starts and says so.
    Warning,
    /// Read and without effect.
    Ignored,
}

impl Level {
    /// The word in JSON.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Ignored => "ignored",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Issue {
    /// How bad.
    pub(crate) level: Level,
    /// Where.
    pub(crate) place: Place,
    /// Key path, or empty for the file as a whole.
    pub(crate) path: String,
    /// The sentence, without the place.
    pub(crate) message: String,
    /// What replaces a retired key.
    pub(crate) replacement: Option<String>,
    /// Nearest known key.
    pub(crate) nearest: Option<String>,
}

impl Issue {
    /// A refusal.
    pub(crate) fn error(path: &str, place: Place, message: impl AsRef<str>) -> Self {
        Self::new(Level::Error, path, place, message.as_ref())
    }

    /// A warning.
    pub(crate) fn warning(path: &str, place: Place, message: impl AsRef<str>) -> Self {
        Self::new(Level::Warning, path, place, message.as_ref())
    }

    /// A key that is read and has no effect.
    pub(crate) fn ignored(path: &str, place: Place) -> Self {
        Self::new(Level::Ignored, path, place, &format!("`{path}` is accepted and has no effect"))
    }

    fn new(level: Level, path: &str, place: Place, message: &str) -> Self {
        let readable = |text: &str| text.replace(super::check::DOT, ".");
        let (path, message) = (readable(path), readable(message));
        Self { level, place, path, message, replacement: None, nearest: None }
    }

    /// Whether the daemon refuses to run with it.
    pub(crate) fn is_error(&self) -> bool {
        self.level == Level::Error
    }
}

impl fmt::Display for Issue {
    /// `line:column: sentence`, or the sentence alone outside the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.line > 0 {
            write!(f, "{}:{}: ", self.place.line, self.place.column)?;
        }
        f.write_str(&self.message)
    }
}

//! A key that no log and no message shows.

use std::fmt;

/// Text that is only given to the server it belongs to.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key itself, for the request's header.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text without this key, for servers that quote it in their errors.
    pub(crate) fn cut_from(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown() {
        let key = Secret::new("sk-123");
        assert_eq!(format!("{key:?}"), "Secret(..)");
        assert_eq!(key.cut_from("bad key sk-123!"), "bad key [key]!");
        assert_eq!(Secret::new("").cut_from("text"), "text");
    }
}

//! What a caller wants changed on a stored memory.

use crate::memory::prepare::{checked_importance, checked_kind, checked_tags, needs_repair, one_row, stored};
use crate::memory::{Text, Visibility};
use crate::{Code, Error, Timestamp};

/// What every change of a stored memory comes with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warrant {
    /// Why, for the history. Never blank.
    pub reason: String,
    /// The version the caller saw; another one refuses the change.
    pub if_version: Option<i64>,
}

impl Warrant {
    /// A reason without a version.
    pub fn because(reason: &str) -> Self {
        Self { reason: reason.to_owned(), if_version: None }
    }
}

/// Wanted values; `None` leaves a field as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Change {
    /// New text.
    pub content: Option<String>,
    /// New type.
    pub kind: Option<String>,
    /// New tags; empty clears them.
    pub tags: Option<Vec<String>>,
    /// New importance.
    pub importance: Option<f64>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
    /// New visibility.
    pub visibility: Option<Visibility>,
    /// New time of review; `Some(None)` clears it.
    pub review_after: Option<Option<Timestamp>>,
}

/// A change after all rules that need no database.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckedChange {
    /// New text in all its forms.
    pub text: Option<Box<Text>>,
    /// Fields that had to be repaired: `content`, `tags`.
    pub repaired: Vec<&'static str>,
    /// New type.
    pub kind: Option<String>,
    /// New tags.
    pub tags: Option<Vec<String>>,
    /// New importance.
    pub importance: Option<f64>,
    /// Pin or unpin.
    pub pinned: Option<bool>,
    /// New visibility.
    pub visibility: Option<Visibility>,
    /// New time of review.
    pub review_after: Option<Option<Timestamp>>,
}

impl Change {
    /// Applies the rules of storing. Refusals: 400 with the field, also when nothing is wanted.
    pub fn checked(self) -> Result<CheckedChange, Error> {
        if self == Self::default() {
            let sentence = "at least one of content, type, tags, importance, pinned is required";
            return Err(Error::new(Code::InvalidRequest, sentence));
        }
        let stored = self.content.as_deref().map(stored).transpose()?;
        let fields = [
            ("content", stored.as_ref().is_some_and(|stored| stored.repaired)),
            ("tags", self.tags.as_deref().is_some_and(needs_repair)),
        ];
        let repaired = fields.into_iter().filter(|(_, repaired)| *repaired).map(|(field, _)| field).collect();
        Ok(CheckedChange {
            text: stored.map(|stored| one_row(&stored.text)).transpose()?.map(Box::new),
            repaired,
            kind: self.kind.as_deref().map(checked_kind).transpose()?,
            tags: self.tags.as_deref().map(checked_tags).transpose()?,
            importance: checked_importance(self.importance)?,
            pinned: self.pinned,
            visibility: self.visibility,
            review_after: self.review_after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_nothing_is_refused() {
        let error = Change::default().checked().expect_err("is refused");
        assert_eq!(error.message, "at least one of content, type, tags, importance, pinned is required");
    }

    #[test]
    fn a_new_text_goes_through_the_rules_of_storing() {
        let change = Change { content: Some(" new\r\ntext \0".to_owned()), ..Change::default() };
        let checked = change.checked().expect("is accepted");
        assert_eq!(checked.text.map(|text| text.content).as_deref(), Some("new\ntext \u{fffd}"));
        assert_eq!(checked.repaired, ["content"]);
        let blank = Change { content: Some(" \n".to_owned()), ..Change::default() };
        assert_eq!(blank.checked().expect_err("is refused").message, "content is required");
    }
}

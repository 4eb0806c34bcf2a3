//! Forgetting many: what is selected, and the token that proves somebody looked.

use sha2::{Digest, Sha256};

use crate::recall::Filters;
use crate::text::normal::hex;
use crate::{Code, Detail, Error, MemoryId, Timestamp};

/// Days in which a forgotten memory can be taken back.
pub const RETENTION_DAYS: i64 = 30;
/// More rows than this need the token of a preview.
pub const CONFIRM_ABOVE: usize = 25;

/// Until when a memory forgotten at `deleted` can be taken back.
pub const fn recoverable_until(deleted: Timestamp) -> Timestamp {
    deleted.plus_millis(RETENTION_DAYS * 86_400_000)
}

/// Whether a pinned row may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// Pinned rows stay.
    No,
    /// A person means pinned rows too.
    Yes,
}

/// Which rows a batch means.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selector {
    /// Exactly these; empty = by filters.
    pub ids: Vec<MemoryId>,
    /// Filters; they narrow `ids` too.
    pub filters: Filters,
    /// Most rows by filters.
    pub limit: usize,
}

/// A row that a batch would forget.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Row.
    pub id: MemoryId,
    /// How well it fits a query; 1 without one.
    pub score: f64,
    /// Whether it is pinned.
    pub pinned: bool,
    /// Its version.
    pub version: i64,
    /// Beginning of its text.
    pub excerpt: String,
}

/// What a preview finds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    /// Rows, best or newest first.
    pub candidates: Vec<Candidate>,
    /// Asked ids that there are no such rows of.
    pub missing: Vec<MemoryId>,
}

/// What became of one row of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemResult<T> {
    /// Row, as asked.
    pub id: MemoryId,
    /// What came of it.
    pub result: Result<T, Error>,
}

/// The token of a set of rows: it changes with the set, so that what was previewed is what is forgotten.
pub fn token<'a>(ids: impl IntoIterator<Item = &'a MemoryId>) -> String {
    let mut sorted: Vec<&str> = ids.into_iter().map(MemoryId::as_str).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut token = hex(&Sha256::digest(sorted.join("|").as_bytes()));
    token.truncate(32);
    token
}

/// Refuses a large batch without the token of its preview; the refusal does not contain the token.
pub fn confirm(ids: &[MemoryId], token_sent: Option<&str>) -> Result<(), Error> {
    if ids.len() <= CONFIRM_ABOVE || token_sent == Some(token(ids).as_str()) {
        return Ok(());
    }
    let sentence = "confirm_token is required for large forget operations; run preview first";
    Err(Error::new(Code::ConfirmTokenRequired, sentence)
        .with("requiresConfirm", Detail::Flag(true))
        .with("count", Detail::Number(i64::try_from(ids.len()).unwrap_or(i64::MAX))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(words: &[&str]) -> Vec<MemoryId> {
        words.iter().map(|word| MemoryId::from(*word)).collect()
    }

    #[test]
    fn tokens_worked_out_by_hand() {
        assert_eq!(token(&ids(&["c", "a", "b", "a"])), "a52dd81bfd5e4e66d96b9f598382f6cb");
        assert_eq!(token(&[]), "e3b0c44298fc1c149afbf4c8996fb924");
    }

    #[test]
    fn a_large_batch_needs_the_token_of_exactly_its_rows() {
        let many: Vec<MemoryId> = (0..26).map(|n| MemoryId::new(n.to_string())).collect();
        assert_eq!(confirm(&many[..25], None), Ok(()));
        assert_eq!(confirm(&many, Some(&token(&many))), Ok(()));
        for wrong in [None, Some(token(&many[..25]))] {
            let error = confirm(&many, wrong.as_deref()).expect_err("is refused");
            assert_eq!(error.code, Code::ConfirmTokenRequired);
            assert!(!format!("{error:?}").contains(&token(&many)), "the refusal must not hand the token out");
        }
    }
}

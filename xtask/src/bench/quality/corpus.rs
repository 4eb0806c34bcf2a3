//! A conversation and the questions about it.

use std::collections::BTreeSet;

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Corpus {
    /// Name; the project its memories are stored in.
    pub(super) name: String,
    /// Turns or messages, in order.
    pub(super) units: Vec<Unit>,
    /// Questions.
    pub(super) questions: Vec<Question>,
}

/// One turn or message: one memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    /// Id in the data set.
    pub(super) id: String,
    /// Text.
    pub(super) text: String,
    /// Who said it.
    pub(super) who: String,
    /// RFC 3339 time; `None` = the data set names none.
    pub(super) at: Option<String>,
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// What is asked.
    pub(super) text: String,
    /// Ids of the units that hold the evidence; never empty.
    pub(super) gold: BTreeSet<String>,
    /// Groups it is counted in, beside `all`.
    pub(super) groups: Vec<String>,
    /// Units with the old and the new statement, when one replaced the other.
    pub(super) replaced: Option<(BTreeSet<String>, BTreeSet<String>)>,
}

//! Search form: what the text index sees, and how a query is cut into the same terms.

/// Version of the preparation rule; stored, so that a change rebuilds the index once.
pub const PREPARATION: u32 = 1;

/// Text for the index: NFC, bigrams of scripts without spaces, identifiers whole and in parts (D16).
/// `None` when it would equal `content`.
pub fn prepare(_content: &str) -> Option<String> {
    None
}

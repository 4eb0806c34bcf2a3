//! What a request means before anything is read.

use signet_model::recall::{Channels, Filters, ItemKind, Request};
use signet_model::text::search::{self, Query};

/// Most terms asked of the index; the rarest are kept.
pub(crate) const MOST_TERMS: usize = 32;

/// A request, cut and completed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// Terms of the text channels.
    pub(crate) terms: Query,
    /// Text whose vector is searched for; `None` = the semantic channel is not wanted.
    pub(crate) meaning: Option<String>,
    /// Whether the text channels are wanted.
    pub(crate) text: TextChannels,
    /// Filters with the defaults of recall filled in.
    pub(crate) filters: Filters,
    /// Results wanted.
    pub(crate) limit: usize,
}

/// Whether the text channels run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextChannels {
    /// They run.
    Wanted,
    /// The request excludes them.
    Excluded,
}

/// Reads a request. Rows of a text scope are only found when the request names it.
pub(crate) fn plan(request: &Request) -> Plan {
    let mut filters = request.filters.clone();
    filters.scope.get_or_insert_default();
    let keywords = request.keyword_query.as_deref().unwrap_or(&request.query);
    let memories = request.wants(ItemKind::Memory);
    let has_words = !search::query(&request.query).terms.is_empty();
    let semantic = memories && has_words && request.channels != Channels::Text;
    let text = memories && request.channels != Channels::Semantic;
    Plan {
        terms: search::query(keywords),
        meaning: semantic.then(|| request.query.clone()),
        text: if text { TextChannels::Wanted } else { TextChannels::Excluded },
        filters,
        limit: request.limit.max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_scope_means_ordinary_rows() {
        assert_eq!(plan(&Request::new("port")).filters.scope.as_deref(), Some(""));
        let mut named = Request::new("port");
        named.filters.scope = Some("draft".to_owned());
        assert_eq!(plan(&named).filters.scope.as_deref(), Some("draft"));
    }

    #[test]
    fn a_query_without_words_asks_no_channel() {
        let plan = plan(&Request::new("*"));
        assert!(plan.terms.terms.is_empty());
        assert_eq!(plan.meaning, None);
    }

    #[test]
    fn other_kinds_have_no_channel_yet() {
        let request = Request { kinds: vec![ItemKind::Claim], ..Request::new("port") };
        let plan = plan(&request);
        assert_eq!((plan.meaning, plan.text), (None, TextChannels::Excluded));
    }
}

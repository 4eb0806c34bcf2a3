//! GET /memory/search: the recall's text channels in the spelling of the earlier program.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::recall::{Channels, Filters, Hit, ItemKind, Request};
use signet_model::{Error, Timestamp};
use signet_store::evidence::memory::filter::{Order, Shown};
use signet_store::evidence::memory::list::{self, Listed};

use super::request;
use crate::cx::{Cx, Reply};

/// Results, or distinct values of one of their fields.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum LegacyAnswer {
    /// Results.
    Results {
        /// Rows; with words a smaller score is better.
        results: Vec<LegacyItem>,
    },
    /// Values.
    Values {
        /// Distinct, in order of their first result.
        values: Vec<String>,
    },
}

/// One row.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LegacyItem {
    id: String,
    content: String,
    created_at: String,
    who: Option<String>,
    importance: f64,
    tags: String,
    #[serde(rename = "type")]
    kind: String,
    pinned: bool,
    score: f64,
}

/// Answers a word search, or the weightiest rows when no words are given.
pub(super) async fn search(cx: Cx) -> Result<Reply, Error> {
    let limit = |default| match usize::try_from(cx.input.int("limit").unwrap_or(0)) {
        Ok(0) | Err(_) => default,
        Ok(limit) => limit,
    };
    let filters = Filters { scope: Some(String::new()), ..request::filters(&cx.input) };
    let items = match cx.input.text("q").map(str::trim).filter(|q| !q.is_empty()) {
        Some(words) => by_words(&cx, words, filters, limit(20)).await?,
        None => by_weight(&cx, filters, limit(50)).await?,
    };
    Reply::ok(&match cx.input.text("distinct") {
        Some(_) => LegacyAnswer::Values { values: authors(items) },
        None => LegacyAnswer::Results { results: items },
    })
}

async fn by_words(cx: &Cx, words: &str, filters: Filters, limit: usize) -> Result<Vec<LegacyItem>, Error> {
    let request = Request {
        limit,
        filters,
        kinds: vec![ItemKind::Memory],
        channels: Channels::Text,
        ..Request::new(words)
    };
    let outcome = cx.state.recall.recall(&cx.scope, &request).await?;
    Ok(outcome.hits.into_iter().map(hit).collect())
}

fn hit(hit: Hit) -> LegacyItem {
    LegacyItem {
        id: hit.memory.id.to_string(),
        content: hit.memory.content,
        created_at: hit.memory.created_at.to_string(),
        who: hit.memory.who,
        importance: hit.memory.importance,
        tags: hit.memory.tags,
        kind: hit.memory.kind,
        pinned: hit.memory.pinned,
        score: -hit.score,
    }
}

/// Rows looked at for the weightiest ones: the newest and the most important of them.
const POOL: usize = 1_000;

async fn by_weight(cx: &Cx, filters: Filters, limit: usize) -> Result<Vec<LegacyItem>, Error> {
    let (scope, now) = (cx.scope.clone(), cx.state.clock.now());
    let query = list::Query {
        filters,
        holding: None,
        id_prefix: None,
        shown: Shown::Listed,
        order: Order::Importance,
        limit: POOL,
        offset: 0,
    };
    let page = cx.state.reader.read(move |tx| list::list(tx, &scope, &query, now)).await?;
    let safe = |listed: &Listed| listed.safety.as_ref().is_some_and(|safety| safety.context_eligible);
    let mut items: Vec<LegacyItem> =
        page.rows.into_iter().filter(safe).map(|listed| weighed(listed, now)).collect();
    items.sort_by(|a, b| {
        (b.score.total_cmp(&a.score)).then(b.created_at.cmp(&a.created_at)).then(a.id.cmp(&b.id))
    });
    items.truncate(limit);
    Ok(items)
}

fn weighed(listed: Listed, now: Timestamp) -> LegacyItem {
    let row = listed.row;
    let made = Timestamp::parse_stored(&row.created_at).unwrap_or(now);
    let age_days = (now.millis() - made.millis()).max(0) as f64 / 86_400_000.0;
    let decayed = row.importance * 0.95_f64.powf(age_days).max(0.1);
    LegacyItem {
        id: row.id.to_string(),
        content: row.content,
        created_at: row.created_at,
        who: row.who,
        importance: row.importance,
        tags: row.tags,
        kind: row.kind,
        pinned: row.pinned,
        score: if row.pinned { 1.0 } else { decayed },
    }
}

fn authors(items: Vec<LegacyItem>) -> Vec<String> {
    let mut seen = Vec::new();
    for who in items.into_iter().filter_map(|item| item.who) {
        if !seen.contains(&who) {
            seen.push(who);
        }
    }
    seen
}

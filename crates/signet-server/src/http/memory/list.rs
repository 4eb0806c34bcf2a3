//! GET /api/memories.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::recall::Filters;
use signet_model::{Error, Permission, project};
use signet_store::evidence::memory::filter::{Order, Shown};
use signet_store::evidence::memory::list::{Query, list as store};
use signet_store::evidence::memory::stats::stats;

use super::get::need_recover;
use super::wire::ListedMemory;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    fields: &[
        Field::new("limit", Kind::Clamped { default: 100, min: 1, max: 500 }, "Rows of a page."),
        Field::new("offset", Kind::Clamped { default: 0, min: 0, max: 100_000 }, "Rows before the page."),
        Field::new("type", Kind::Text { min: 0, max: 64 }, "Exact type."),
        Field::new("tags", Kind::Tags, "Every one of these tags."),
        Field::new("who", Kind::Text { min: 0, max: 200 }, "Exact author."),
        Field::new("project", Kind::Text { min: 0, max: 4096 }, "Exact project."),
        Field::new("scope", Kind::Text { min: 0, max: 200 }, "Exact scope."),
        Field::new("pinned", Kind::Bool, "Pinned or not."),
        Field::new("sourceType", Kind::Text { min: 0, max: 64 }, "Exact source type."),
        Field::new("importanceMin", Kind::Number { min: 0.0, max: 1.0 }, "At least this importance."),
        Field::new("since", Kind::Time, "Said at or after."),
        Field::new("until", Kind::TimeUntil, "Said before."),
        Field::new("q", Kind::Text { min: 0, max: 200 }, "Part of the text."),
        Field::new("idPrefix", Kind::Text { min: 0, max: 128 }, "Beginning of the id."),
        Field::new("order", Kind::OneOf(&["created", "updated", "importance"]), "Newest first by default."),
        Field::new("deleted", Kind::Bool, "The bin instead (permission recover)."),
    ],
    ..route(
        Verb::Get,
        "/api/memories",
        Access::Needs(Permission::Recall),
        |cx| Box::pin(list(cx)),
        schema::<MemoryPage>,
        "Memories in use, newest first.",
    )
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MemoryPage {
    memories: Vec<ListedMemory>,
    stats: MemoryStats,
    limit: usize,
    offset: usize,
    has_more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MemoryStats {
    total: i64,
    with_embeddings: i64,
    /// Of importance 0.9 and above.
    critical: i64,
}

async fn list(cx: Cx) -> Result<Reply, Error> {
    let query = query(&cx.input);
    if query.shown == Shown::Bin {
        need_recover(&cx)?;
    }
    let (limit, offset) = (query.limit, query.offset);
    let (scope, now) = (cx.scope.clone(), cx.state.clock.now());
    let (page, numbers) =
        cx.state.reader.read(move |tx| Ok((store(tx, &scope, &query, now)?, stats(tx, &scope)?))).await?;
    Reply::ok(&MemoryPage {
        memories: page.rows.into_iter().map(ListedMemory::from).collect(),
        stats: MemoryStats {
            total: numbers.total,
            with_embeddings: numbers.with_embeddings,
            critical: numbers.critical,
        },
        limit,
        offset,
        has_more: page.more,
    })
}

fn query(input: &Input) -> Query {
    Query {
        filters: filters(input),
        holding: text(input, "q"),
        id_prefix: text(input, "idPrefix"),
        shown: if input.flag("deleted") { Shown::Bin } else { Shown::Listed },
        order: match input.text("order") {
            Some("updated") => Order::Updated,
            Some("importance") => Order::Importance,
            _ => Order::Created,
        },
        limit: size(input, "limit"),
        offset: size(input, "offset"),
    }
}

/// Filters of a list or of a batch.
pub(super) fn filters(input: &Input) -> Filters {
    Filters {
        project: text(input, "project").map(|name| project::normalise(&name)),
        kind: text(input, "type").map(|kind| kind.trim().to_lowercase()),
        tags: input.texts("tags").map(<[String]>::to_vec).unwrap_or_default(),
        who: text(input, "who"),
        pinned: input.maybe_flag("pinned"),
        importance_min: input.number("importanceMin"),
        since: input.time("since"),
        until: input.time("until"),
        scope: text(input, "scope"),
        source_type: text(input, "sourceType"),
        ..Filters::default()
    }
}

fn text(input: &Input, name: &str) -> Option<String> {
    input.text(name).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A clamped number as a size.
pub(super) fn size(input: &Input, name: &str) -> usize {
    input.int(name).and_then(|n| usize::try_from(n).ok()).unwrap_or_default()
}

//! PATCH /api/memory/{id}.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::memory::outcome::Edited;
use signet_model::memory::{Change, Visibility};
use signet_model::{Error, Permission};
use signet_store::evidence::memory::edit::edit as store;

use super::fields::{IF_VERSION, REASON, id, warrant};
use super::frozen;
use super::remember::BODY;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

/// The values that a change can have.
macro_rules! change_fields {
    ($($more:expr),* $(,)?) => {
        &[
            Field::new("content", Kind::Text { min: 0, max: BODY }, "New text."),
            Field::new("type", Kind::Text { min: 1, max: 64 }, "New type."),
            Field::new("tags", Kind::Tags, "New tags; null clears them."),
            Field::new("importance", Kind::Number { min: 0.0, max: 1.0 }, "New importance, 0 to 1."),
            Field::new("pinned", Kind::Bool, "Pin or unpin."),
            Field::new("visibility", Kind::OneOf(&["global", "private", "archived"]), "New visibility."),
            Field::new("reviewAfter", Kind::Time, "To be looked at again; null clears it."),
            IF_VERSION,
            REASON,
            $($more,)*
        ]
    };
}
pub(super) use change_fields;

pub(super) const ROUTE: Route = Route {
    rate: Rate::Modify,
    body_limit: BODY,
    fields: change_fields![],
    ..route(
        Verb::Patch,
        "/api/memory/{id}",
        Access::Needs(Permission::Modify),
        |cx| Box::pin(edit(cx)),
        schema::<EditedWire>,
        "Changes a memory; the old text stays in its history.",
    )
};

/// A change that went through.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditedWire {
    id: String,
    /// `updated` or `no_changes`.
    status: &'static str,
    current_version: i64,
    new_version: i64,
    content_changed: bool,
    embedded: bool,
    /// Attention rows made for claims that quoted the old text.
    attention_created: usize,
    /// Fields in which something unreadable was replaced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired: Vec<String>,
}

impl From<Edited> for EditedWire {
    fn from(edited: Edited) -> Self {
        let changed = edited.versions.new != edited.versions.current;
        Self {
            id: edited.id.to_string(),
            status: if changed { "updated" } else { "no_changes" },
            current_version: edited.versions.current,
            new_version: edited.versions.new,
            content_changed: edited.content_changed,
            embedded: edited.embedded,
            attention_created: 0,
            repaired: edited.repaired,
        }
    }
}

async fn edit(cx: Cx) -> Result<Reply, Error> {
    frozen::check(&cx.state)?;
    let warrant = warrant(&cx)?;
    let change = change(&cx.input).checked()?;
    let (scope, actor, id) = (cx.scope.clone(), cx.actor.clone(), id(&cx));
    let edited = cx.state.writer.write(move |tx| store(tx, &scope, &actor, (&id, &change), &warrant)).await?;
    if edited.content_changed {
        cx.state.tracker.wake();
    }
    Reply::ok(&EditedWire::from(edited))
}

/// Wanted values of a request or of an item of a batch.
pub(super) fn change(input: &Input) -> Change {
    let text = |name: &str| input.text(name).map(str::to_owned);
    Change {
        content: text("content"),
        kind: text("type"),
        tags: match input.texts("tags") {
            Some(tags) => Some(tags.to_vec()),
            None => input.is_null("tags").then(Vec::new),
        },
        importance: input.number("importance"),
        pinned: input.maybe_flag("pinned"),
        visibility: input.text("visibility").and_then(Visibility::parse),
        review_after: match input.time("reviewAfter") {
            Some(time) => Some(Some(time)),
            None => input.is_null("reviewAfter").then_some(None),
        },
    }
}

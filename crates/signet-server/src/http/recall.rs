//! Recall, search, similar memories.

mod answer;
mod fields;
mod legacy;
mod post;
mod request;
mod search;
mod similar;

use signet_model::Permission;

use crate::route::{Access, Admission, Route, Verb, route};

/// Routes of this resource.
pub const ROUTES: &[Route] = &[
    Route {
        admission: Admission::Recall,
        fields: fields::RECALL,
        ..route(
            Verb::Post,
            "/api/memory/recall",
            Access::Needs(Permission::Recall),
            |cx| Box::pin(post::recall(cx)),
            schemars::SchemaGenerator::subschema_for::<answer::RecallAnswer>,
            "Recalls memories by words and by meaning.",
        )
    },
    Route {
        admission: Admission::Recall,
        fields: fields::SEARCH,
        ..route(
            Verb::Get,
            "/api/memory/search",
            Access::Needs(Permission::Recall),
            |cx| Box::pin(search::search(cx)),
            schemars::SchemaGenerator::subschema_for::<answer::RecallAnswer>,
            "The same recall with its fields in the query.",
        )
    },
    Route {
        admission: Admission::Recall,
        fields: fields::LEGACY,
        ..route(
            Verb::Get,
            "/memory/search",
            Access::Needs(Permission::Recall),
            |cx| Box::pin(legacy::search(cx)),
            schemars::SchemaGenerator::subschema_for::<legacy::LegacyAnswer>,
            "Word search in the spelling of the earlier program: the recall of its lexical and hint channels.",
        )
    },
    Route {
        admission: Admission::Recall,
        fields: fields::SIMILAR,
        ..route(
            Verb::Get,
            "/memory/similar",
            Access::Needs(Permission::Recall),
            |cx| Box::pin(similar::similar(cx)),
            schemars::SchemaGenerator::subschema_for::<similar::SimilarAnswer>,
            "The nearest memories of a memory.",
        )
    },
];

#[cfg(test)]
mod tests;

//! Fields of the recall routes.

use crate::field::{Field, Kind};

const NAME: Kind = Kind::Text { min: 1, max: 256 };
const TEXT: Kind = Kind::Text { min: 1, max: 8_000 };

/// The filters and switches that every form of the recall takes, after the fields of one route.
macro_rules! with_recall_fields {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            Field::new("keywordQuery", TEXT, "Text for the lexical and hint channels; default: the query."),
            Field::new("limit", Kind::Clamped { default: 10, min: 1, max: 100 }, "Most results."),
            Field::new("project", Kind::Text { min: 1, max: 1_024 }, "Exactly this project."),
            Field::new("type", Kind::Text { min: 1, max: 64 }, "Exactly this type."),
            Field::new("tags", Kind::Tags, "Every one of these tags."),
            Field::new("who", NAME, "Exactly this author."),
            Field::new("pinned", Kind::Bool, "Pinned rows only, or others only."),
            Field::new("importanceMin", Kind::Number { min: 0.0, max: 1.0 }, "At least this importance."),
            Field::new("since", Kind::Time, "Made at or after."),
            Field::new("until", Kind::TimeUntil, "Made before; a bare date counts whole."),
            Field::new("scope", Kind::Text { min: 0, max: 256 }, "Exactly this text scope; absent: ordinary rows."),
            Field::new("agentId", Kind::Id, "Agent whose memories are read."),
            Field::new("readPolicy", Kind::OneOf(&["isolated", "shared", "group"]), "Narrows the stored policy."),
            Field::new("policyGroup", NAME, "Group of `readPolicy: group`."),
            Field::new("sessionKey", NAME, "Session of the caller."),
            Field::new("includeRecalled", Kind::Bool, "Also what the session was given before."),
            Field::new(
                "kinds",
                Kind::SomeOf(&["memory", "transcript_turn", "source_chunk", "artifact", "claim"]),
                "Kinds of results; default: all.",
            ),
            Field::new("sourceOnly", Kind::Bool, "The kinds source_chunk and artifact."),
            Field::new("expand", Kind::Bool, "Adds the sessions behind the results."),
            Field::new("minScore", Kind::Number { min: 0.0, max: 1.0 }, "Results with a lower score are left out."),
            Field::new("aggregate", Kind::Bool, "Asks for one written answer beside the results."),
            Field::new("aggregateBudget", Kind::OneOf(&["small", "medium", "large"]), "How many queries it may use."),
            Field::new("saveAggregate", Kind::Bool, "Stores the written answer as a memory."),
            Field::new(
                "recallSurface",
                Kind::OneOf(&["explicit_api", "tool_call", "prompt_injection", "dashboard", "other"]),
                "Where the results go; only an explicit recall counts as an access.",
            ),
            Field::new("explain", Kind::Bool, "Adds what each stage did."),
            Field::new("explainId", Kind::Id, "Also says what became of this id."),
            Field::new("asOf", Kind::Time, "What was known and valid then. Not supported yet."),
            Field::new("time", Kind::Object { max_bytes: 4_096 }, "A range over several times of a row. Not supported yet."),
        ]
    };
}

/// POST /api/memory/recall.
pub(super) const RECALL: &[Field] =
    with_recall_fields![Field::new("query", TEXT, "What is asked.").required("query is required"),];

/// GET /api/memory/search.
pub(super) const SEARCH: &[Field] =
    with_recall_fields![Field::new("q", TEXT, "What is asked.").also(&["query"]).required("q is required")];

/// GET /memory/search.
pub(super) const LEGACY: &[Field] = &[
    Field::new("q", TEXT, "Words to search; absent: rows by importance and age."),
    Field::new("limit", Kind::Clamped { default: 0, min: 0, max: 200 }, "Most results: 20, or 50 without q."),
    Field::new("project", Kind::Text { min: 1, max: 1_024 }, "Exactly this project."),
    Field::new("type", Kind::Text { min: 1, max: 64 }, "Exactly this type."),
    Field::new("tags", Kind::Tags, "Every one of these tags."),
    Field::new("who", NAME, "Exactly this author."),
    Field::new("pinned", Kind::Bool, "Pinned rows only, or others only."),
    Field::new("importanceMin", Kind::Number { min: 0.0, max: 1.0 }, "At least this importance."),
    Field::new("since", Kind::Time, "Made at or after."),
    Field::new("agentId", Kind::Id, "Agent whose memories are read."),
    Field::new("distinct", Kind::OneOf(&["who"]), "The authors of the results instead of the results."),
];

/// GET /memory/similar.
pub(super) const SIMILAR: &[Field] = &[
    Field::new("id", Kind::Id, "The memory whose neighbours are wanted.").required("id is required"),
    Field::new("k", Kind::Clamped { default: 10, min: 1, max: 100 }, "Most results."),
    Field::new("type", Kind::Text { min: 1, max: 64 }, "Exactly this type."),
    Field::new("project", Kind::Text { min: 1, max: 1_024 }, "Exactly this project."),
    Field::new("who", NAME, "Exactly this author."),
    Field::new("agentId", Kind::Id, "Agent whose memories are read."),
];

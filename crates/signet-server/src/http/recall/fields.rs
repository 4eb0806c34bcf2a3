//! Fields of the recall routes.

use crate::field::{Field, Kind};

const NAME: Kind = Kind::Text { min: 1, max: 256 };
const TEXT: Kind = Kind::Text { min: 1, max: 8_000 };

// Filters that several of the routes take. Project and author are as long as remember takes them, so that
// whatever was stored can be asked for.
const PROJECT: Field = Field::new("project", Kind::Text { min: 1, max: 4_096 }, "Exactly this project.");
const TYPE: Field = Field::new("type", Kind::Text { min: 1, max: 64 }, "Exactly this type.");
const TAGS: Field = Field::new("tags", Kind::Tags, "Every one of these tags.");
const WHO: Field = Field::new("who", Kind::Text { min: 1, max: 200 }, "Exactly this author.");
const PINNED: Field = Field::new("pinned", Kind::Bool, "Pinned rows only, or others only.");
const IMPORTANCE_MIN: Field =
    Field::new("importanceMin", Kind::Number { min: 0.0, max: 1.0 }, "At least this importance.");
const SINCE: Field = Field::new("since", Kind::Time, "Made at or after.");
const AGENT_ID: Field = Field::new("agentId", Kind::Id, "Agent whose memories are read.");

/// The filters and switches that every form of the recall takes, after the fields of one route.
macro_rules! with_recall_fields {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            Field::new("keywordQuery", TEXT, "Text for the lexical and hint channels; default: the query."),
            Field::new("limit", Kind::Clamped { default: 10, min: 1, max: 100 }, "Most results."),
            PROJECT,
            TYPE,
            TAGS,
            WHO,
            PINNED,
            IMPORTANCE_MIN,
            SINCE,
            Field::new("until", Kind::TimeUntil, "Made before; a bare date counts whole."),
            Field::new("scope", Kind::Text { min: 0, max: 256 }, "Exactly this text scope; absent: ordinary rows."),
            AGENT_ID,
            Field::new("readPolicy", Kind::OneOf(&["isolated", "shared", "group"]), "Narrows the stored policy."),
            Field::new("policyGroup", NAME, "Group of `readPolicy: group`."),
            Field::new("sessionKey", NAME, "Session of the caller."),
            Field::new(
                "includeRecalled",
                Kind::Bool,
                "Also what the session was given before. Without effect: this build keeps no sessions.",
            ),
            Field::new(
                "kinds",
                Kind::SomeOf(&["memory", "transcript_turn", "source_chunk", "artifact", "claim"]),
                "Kinds of results; default: all.",
            ),
            Field::new("sourceOnly", Kind::Bool, "The kinds source_chunk and artifact."),
            Field::new(
                "expand",
                Kind::Bool,
                "Adds the sessions behind the results. This build keeps none: `sources` is empty.",
            ),
            Field::new("minScore", Kind::Number { min: 0.0, max: 1.0 }, "Results with a lower score are left out."),
            Field::new(
                "aggregate",
                Kind::Bool,
                "Asks for one written answer beside the results. This build writes none: `aggregate` says why.",
            ),
            Field::new(
                "aggregateBudget",
                Kind::OneOf(&["small", "medium", "large"]),
                "How many queries a written answer may use. This build only repeats it.",
            ),
            Field::new(
                "saveAggregate",
                Kind::Bool,
                "Stores the written answer as a memory. Without effect: this build writes none.",
            ),
            Field::new(
                "recallSurface",
                Kind::OneOf(&["explicit_api", "tool_call", "prompt_injection", "dashboard", "other"]),
                "Where the results go; default: explicit_api. Only it and dashboard show credentials in texts. \
                 prompt_injection and other count as no access.",
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
    PROJECT,
    TYPE,
    TAGS,
    WHO,
    PINNED,
    IMPORTANCE_MIN,
    SINCE,
    AGENT_ID,
    Field::new("distinct", Kind::OneOf(&["who"]), "The authors of the results instead of the results."),
];

/// GET /memory/similar.
pub(super) const SIMILAR: &[Field] = &[
    Field::new("id", Kind::Id, "The memory whose neighbours are wanted.").required("id is required"),
    Field::new("k", Kind::Clamped { default: 10, min: 1, max: 100 }, "Most results."),
    TYPE,
    PROJECT,
    WHO,
    AGENT_ID,
];

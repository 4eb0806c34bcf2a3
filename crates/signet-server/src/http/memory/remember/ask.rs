//! The fields of a remember call, and the draft they make.

use serde_json::{Map, Value};
use signet_model::memory::{Draft, Place, Source, Times, Visibility};
use signet_model::text::repair;
use signet_model::time::ReadTime;
use signet_model::{Code, Error, MemoryId, project};

use super::answer::Told;
use super::json_repair;
use crate::cx::Cx;
use crate::field::{Field, Kind};
use crate::http::memory::fields::REASON;
use crate::input::Input;

const fn text(name: &'static str, max: usize, doc: &'static str) -> Field {
    Field::new(name, Kind::Text { min: 0, max }, doc)
}

const fn time(name: &'static str, doc: &'static str) -> Field {
    Field::new(name, Kind::Time, doc)
}

/// Fields of one memory, alone or as an item of a batch.
pub(in crate::http::memory) const FIELDS: &[Field] = &[
    // The body limit bounds it; the rule of 5,000,000 characters answers 413, not 400.
    text("content", super::BODY, "The text, at most 5,000,000 characters.").required("content is required"),
    text("who", 200, "Author; `daemon` when absent."),
    text("project", 4096, "Project: an absolute path or a name."),
    Field::new("importance", Kind::Number { min: 0.0, max: 1.0 }, "0 to 1; 0.8 when absent."),
    Field::new("tags", Kind::Tags, "Comma string or array; at most 32 of at most 64 characters."),
    Field::new("pinned", Kind::Bool, "Exempt from decay; only a person with force removes it."),
    text("type", 64, "Type; inferred from the text when absent."),
    text("sourceType", 64, "Source type; `manual` when absent."),
    text("sourceId", 512, "Id in the source; a repeat finds the stored memory."),
    text("sourcePath", 4096, "Path or address of the source.").also(&["source"]),
    time("createdAt", "When it was said; now when absent."),
    time("occurredAt", "When it happened."),
    time("observedAt", "When it was observed."),
    time("sourceCreatedAt", "When its source was made."),
    time("validFrom", "Holds from."),
    time("validUntil", "Holds until."),
    time("reviewAfter", "To be looked at again."),
    Field::new("supersedes", Kind::Id, "Id of the memory that this one replaces.")
        .wrong("supersedes must be a memory id"),
    REASON,
    text("scope", 200, "Named scope; ordinary when absent."),
    text("agentId", 64, "Agent; also taken from query and `x-signet-agent-id`."),
    Field::new(
        "visibility",
        Kind::OneOf(&["global", "private"]),
        "Who else may read it; `global` when absent.",
    ),
    text("runtimePath", 64, "`plugin` or `legacy`; other values are ignored."),
    text("sessionKey", 256, "Session key."),
    text("sessionId", 256, "Session id."),
    Field::new(
        "idempotencyKey",
        Kind::Text { min: 1, max: 200 },
        "A repeat of the call finds the first row.",
    ),
    Field::new("metadata", Kind::Object { max_bytes: 16_384 }, "Kept beside the text."),
    Field::new(
        "hints",
        Kind::Texts { max: 10, min_len: 5, max_len: 300 },
        "Questions that the text answers.",
    ),
    Field::new("transcript", Kind::Text { min: 0, max: super::BODY }, "Not supported by this build (501)."),
    Field::new(
        "structured",
        Kind::Object { max_bytes: 1_048_576 },
        "Entities, aspects and hints; kept as sent.",
    )
    .wrong("structured must be an object"),
];

/// The draft, and what the answer has to say about the call.
pub(in crate::http::memory) fn read(cx: &Cx, input: &Input) -> Result<(Draft, Told), Error> {
    if input.text("transcript").is_some_and(|text| !text.is_empty()) {
        return Err(Error::new(
            Code::Unsupported,
            "transcript is not supported by this build; nothing was stored",
        )
        .hint("send the memory without transcript"));
    }
    check_agent(cx, input)?;
    let mut draft = draft(cx, input);
    let mut told = Told { assumed_zone: draft.times.assumed_zone.clone(), ..Told::default() };
    if let Some(payload) = input.object("structured") {
        told.structured = Some(structured(payload, &mut draft.hints)?);
        let mut payload = payload.clone();
        if json_repair::object(&mut payload) {
            draft.repaired.push("structured");
        }
        draft.structured = Some(Value::Object(payload).to_string());
    }
    Ok((draft, told))
}

/// An item of a batch belongs to the agent of the call.
fn check_agent(cx: &Cx, input: &Input) -> Result<(), Error> {
    match input.text("agentId") {
        Some(agent) if !agent.is_empty() && agent != cx.scope.agent().as_str() => {
            let mut error = Error::new(Code::ConflictingFields, "agentId differs from the agent of the call");
            error.field = Some("agentId".to_owned());
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Text fields beside `content` in which something unreadable is replaced.
const REPAIRED: [&str; 9] = [
    "who",
    "project",
    "sourceType",
    "sourceId",
    "sourcePath",
    "scope",
    "sessionKey",
    "sessionId",
    "idempotencyKey",
];

fn draft(cx: &Cx, input: &Input) -> Draft {
    let text = |name: &str| {
        input.text(name).filter(|text| !text.is_empty()).map(|text| repair::text(text).into_owned())
    };
    // A credential for one project stores there without saying so.
    let only = cx.scope.projects().and_then(|projects| <&[String; 1]>::try_from(projects).ok());
    let project =
        text("project").map(|name| project::normalise(&name)).or_else(|| only.map(|[one]| one.clone()));
    let mut repaired: Vec<&'static str> =
        REPAIRED.into_iter().filter(|name| input.text(name).is_some_and(|t| t.contains('\0'))).collect();
    let metadata = input.object("metadata").cloned().map(|mut object| {
        if json_repair::object(&mut object) {
            repaired.push("metadata");
        }
        Value::Object(object).to_string()
    });
    Draft {
        content: input.text("content").unwrap_or_default().to_owned(),
        who: text("who").or_else(|| cx.scope.user().map(str::to_owned)),
        kind: text("type"),
        importance: input.number("importance"),
        tags: input.texts("tags").map(<[String]>::to_vec),
        pinned: input.maybe_flag("pinned"),
        place: Place {
            project: project.unwrap_or_default(),
            scope: text("scope").unwrap_or_default(),
            visibility: input.text("visibility").and_then(Visibility::parse).unwrap_or_default(),
        },
        source: Source { kind: text("sourceType"), id: text("sourceId"), path: text("sourcePath") },
        times: times(cx, input),
        idempotency_key: text("idempotencyKey"),
        runtime_path: cx.runtime_path.clone(),
        session_key: text("sessionKey").or_else(|| cx.session_key.clone()),
        session_id: text("sessionId"),
        supersedes: input.text("supersedes").map(MemoryId::from),
        reason: text("reason").or_else(|| cx.reason.clone()),
        hints: input.texts("hints").map(<[String]>::to_vec).unwrap_or_default(),
        metadata,
        structured: None,
        repaired,
    }
}

fn times(cx: &Cx, input: &Input) -> Times {
    let mut times = Times::default();
    let mut read = |name: &'static str| {
        let ReadTime { at, assumed_zone, date_only } = input.read_time(name)?;
        if assumed_zone {
            times.assumed_zone = Some(cx.zone.iana_name().unwrap_or("UTC").to_owned());
        }
        if date_only {
            times.day_precision.push(name);
        }
        Some(at)
    };
    let [created, occurred, observed, source, from, until, review] = [
        "createdAt",
        "occurredAt",
        "observedAt",
        "sourceCreatedAt",
        "validFrom",
        "validUntil",
        "reviewAfter",
    ]
    .map(&mut read);
    Times {
        created_at: created,
        occurred_at: occurred,
        observed_at: observed,
        source_created_at: source,
        valid_from: from,
        valid_until: until,
        review_after: review,
        ..times
    }
}

/// Most entities and most aspects of a payload.
const MAX_ITEMS: usize = 50;
/// Most attributes of one of them.
const MAX_ATTRIBUTES: usize = 20;

/// Checks the payload, moves its hints to the memory's, and counts the items that this build keeps but
/// does not apply.
fn structured(payload: &Map<String, Value>, hints: &mut Vec<String>) -> Result<usize, Error> {
    let mut count = 0;
    for name in ["entities", "aspects"] {
        let items = list(payload, name)?;
        let most = items.iter().map(|item| item["attributes"].as_array().map_or(0, Vec::len)).max();
        if items.len() > MAX_ITEMS || most > Some(MAX_ATTRIBUTES) {
            let rule = format!(
                "structured.{name} must be at most {MAX_ITEMS} of at most {MAX_ATTRIBUTES} attributes"
            );
            return Err(Error::field("structured", rule));
        }
        count += items.len();
    }
    for hint in list(payload, "hints")? {
        let Some(hint) = hint.as_str() else {
            return Err(Error::field("structured", "structured.hints must be texts"));
        };
        hints.push(hint.to_owned());
    }
    Ok(count)
}

fn list<'a>(payload: &'a Map<String, Value>, name: &str) -> Result<&'a [Value], Error> {
    match payload.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(Error::field("structured", format!("structured.{name} must be an array"))),
    }
}

//! From checked fields to the recall's request.

use signet_model::recall::{Audience, Credentials, Filters, ItemKind, Request};
use signet_model::{AgentScope, Code, Error, ReadPolicy};

use crate::cx::Cx;
use crate::input::Input;

/// The recall that the fields ask for; `query` is the name of the field that holds the text.
pub(super) fn request(input: &Input, query: &str) -> Result<Request, Error> {
    for unsupported in ["time", "asOf"] {
        if input.has(unsupported) && !input.is_null(unsupported) {
            let mut error =
                Error::new(Code::Unsupported, format!("{unsupported} is not supported by this build"))
                    .hint("use since and until, which filter by the time a memory was made");
            error.field = Some(unsupported.to_owned());
            return Err(error);
        }
    }
    let text = input.text(query).unwrap_or_default().trim();
    if text.is_empty() {
        return Err(Error::field(query, format!("{query} is required")));
    }
    Ok(Request {
        query: text.to_owned(),
        keyword_query: input.text("keywordQuery").map(str::to_owned),
        limit: usize::try_from(input.int("limit").unwrap_or(10)).unwrap_or(10),
        filters: filters(input),
        kinds: kinds(input),
        min_score: input.number("minScore"),
        channels: signet_model::recall::Channels::All,
        credentials: credentials(audience(input)),
        explain: input.flag("explain"),
        explain_id: input.text("explainId").map(str::to_owned),
    })
}

/// A person asks unless the surface says that the answer goes to a model.
fn audience(input: &Input) -> Audience {
    match input.text("recallSurface") {
        None | Some("explicit_api" | "dashboard") => Audience::Person,
        Some(_) => Audience::Prompt,
    }
}

/// A prompt is a way out, so credentials stay behind. A person who asks sees the evidence as it is.
const fn credentials(audience: Audience) -> Credentials {
    match audience {
        Audience::Person => Credentials::Shown,
        Audience::Prompt => Credentials::Redacted,
    }
}

/// The filters of the fields.
pub(super) fn filters(input: &Input) -> Filters {
    let text = |name| input.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
    Filters {
        project: text("project").map(|project| signet_model::project::normalise(&project)),
        kind: text("type").map(|kind| kind.trim().to_lowercase()),
        tags: input.texts("tags").unwrap_or_default().to_vec(),
        who: text("who"),
        pinned: input.maybe_flag("pinned"),
        importance_min: input.number("importanceMin"),
        since: input.time("since"),
        until: input.time("until"),
        scope: input.text("scope").map(str::to_owned),
        source_type: None,
        audience: audience(input),
    }
}

fn kinds(input: &Input) -> Vec<ItemKind> {
    if input.flag("sourceOnly") {
        return vec![ItemKind::SourceChunk, ItemKind::Artifact];
    }
    input.texts("kinds").unwrap_or_default().iter().filter_map(|word| ItemKind::parse(word)).collect()
}

/// The caller's scope, narrowed as the fields ask.
pub(super) fn scope(cx: &Cx) -> Result<AgentScope, Error> {
    let narrowing = match cx.input.text("readPolicy") {
        None => None,
        Some("isolated") => Some(ReadPolicy::Isolated),
        Some("group") => match cx.input.text("policyGroup") {
            Some(group) => Some(ReadPolicy::Group(group.to_owned())),
            None => return Err(Error::field("policyGroup", "policyGroup is required with readPolicy group")),
        },
        Some(_) => Some(ReadPolicy::Shared),
    };
    Ok(cx.scope.clone().narrowed(narrowing))
}

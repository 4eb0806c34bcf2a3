//! The rows of a new memory: the memory itself, its history, its safety verdict, its tags.

use rusqlite::named_params;
use serde_json::{Map, Value, json};
use signet_model::memory::{Prepared, Text, Texts};
use signet_model::{Actor, AgentScope, MemoryId, Timestamp};

use crate::audit::history::{self, Event, EventKind};
use crate::control::agents;
use crate::evidence::memory::{safety, tags};
use crate::{Result, WriteTx};

use super::{WHO, dedupe};

/// What all rows of one call share.
pub(super) struct New<'a> {
    pub(super) scope: &'a AgentScope,
    pub(super) actor: &'a Actor,
    pub(super) prepared: &'a Prepared,
    /// For the history.
    pub(super) reason: Option<&'a str>,
    /// JSON of `evidence_meta`.
    pub(super) meta: String,
}

/// Which part of the call's text a row holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot<'a> {
    Whole,
    Slice { group: &'a str, hash: &'a str, index: usize, count: usize },
}

const INSERT: &str = "INSERT INTO memories (rid, agent_id, id, type, content, search_text, content_hash,
    normalized_content, dedupe, group_hash, group_id, group_index, group_count, importance, source_type,
    source_id, source_path, tags, who, why, runtime_path, project, scope, visibility, session_id, session_key,
    created_at, updated_at, updated_by, pinned, evidence_meta, occurred_at, observed_at, source_created_at,
    valid_from, valid_until, review_after, idempotency_key)
  VALUES (:rid, :agent, :id, :type, :content, :search, :hash, :normalized, :dedupe, :group_hash, :group_id,
    :group_index, :group_count, :importance, :source_type, :source_id, :source_path, :tags, :who, :why,
    :runtime_path, :project, :scope, :visibility, :session_id, :session_key, :created_at, :now, :actor, :pinned,
    :meta, :occurred_at, :observed_at, :source_created_at, :valid_from, :valid_until, :review_after, :key)";

/// Stores one row with everything that belongs to it but its hints.
pub(super) fn row(
    tx: &WriteTx<'_>,
    new: &New<'_>,
    text: &Text,
    (id, slot): (&MemoryId, Slot<'_>),
) -> Result<()> {
    let agent = new.scope.agent();
    let (prepared, draft) = (new.prepared, &new.prepared.draft);
    let group = Group::of(slot);
    let (source_type, source_id) = match slot {
        Slot::Whole => {
            (draft.source.kind.as_deref().unwrap_or("manual"), draft.source.id.as_deref().unwrap_or(""))
        }
        Slot::Slice { group, .. } => ("chunk", group),
    };
    let key = match (slot, &draft.idempotency_key) {
        (Slot::Slice { index, .. }, Some(key)) => Some(dedupe::slice_key(key, index)),
        (_, key) => key.clone(),
    };
    let times = &draft.times;
    let now = tx.now();
    tx.execute(
        INSERT,
        named_params! {
            ":rid": agents::take_rids(tx, agent, 1)?,
            ":agent": agent.as_str(),
            ":id": id.as_str(),
            ":type": prepared.kind,
            ":content": text.content,
            ":search": text.search,
            ":hash": text.hash,
            ":normalized": text.normalized,
            ":dedupe": group.dedupe,
            ":group_hash": group.hash,
            ":group_id": group.id,
            ":group_index": group.index,
            ":group_count": group.count,
            ":importance": prepared.importance,
            ":source_type": source_type,
            ":source_id": source_id,
            ":source_path": draft.source.path,
            ":tags": prepared.tags.join(","),
            ":who": draft.who.as_deref().unwrap_or(WHO),
            ":why": prepared.why,
            ":runtime_path": draft.runtime_path,
            ":project": draft.place.project,
            ":scope": draft.place.scope,
            ":visibility": draft.place.visibility.as_str(),
            ":session_id": draft.session_id.as_deref().or(new.actor.session_id.as_deref()),
            ":session_key": draft.session_key,
            ":created_at": times.created_at.unwrap_or(now).to_string(),
            ":now": now.to_string(),
            ":actor": new.actor.name,
            ":pinned": prepared.pinned,
            ":meta": new.meta,
            ":occurred_at": stamp(times.occurred_at),
            ":observed_at": stamp(times.observed_at),
            ":source_created_at": stamp(times.source_created_at),
            ":valid_from": stamp(times.valid_from),
            ":valid_until": stamp(times.valid_until),
            ":review_after": stamp(times.review_after),
            ":key": key,
        },
    )?;
    let mut event = Event::new(id, EventKind::Created, new.reason);
    event.new = Some(&text.content);
    history::record(tx, agent, new.actor, event)?;
    safety::put(tx, agent, id, text)?;
    tags::add(tx, agent, id, &prepared.tags)
}

/// Columns of a slice; all empty for a whole text.
struct Group<'a> {
    dedupe: &'static str,
    hash: Option<&'a str>,
    id: Option<&'a str>,
    index: Option<i64>,
    count: Option<i64>,
}

impl<'a> Group<'a> {
    fn of(slot: Slot<'a>) -> Self {
        match slot {
            Slot::Whole => Self { dedupe: "text", hash: None, id: None, index: None, count: None },
            Slot::Slice { group, hash, index, count } => Self {
                dedupe: "group",
                hash: Some(hash),
                id: Some(group),
                index: i64::try_from(index).ok(),
                count: i64::try_from(count).ok(),
            },
        }
    }
}

fn stamp(time: Option<Timestamp>) -> Option<String> {
    time.map(|time| time.to_string())
}

/// What stands beside the text: metadata, structured payload, assumed zone, repaired fields, and for
/// a split text the source that its slices cannot name themselves.
pub(super) fn meta(prepared: &Prepared) -> String {
    let draft = &prepared.draft;
    let mut meta = Map::new();
    let object = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
    if let Some(text) = &draft.metadata {
        meta.insert("metadata".to_owned(), object(text));
    }
    if let Some(text) = &draft.structured {
        meta.insert("structured".to_owned(), object(text));
    }
    if let Some(zone) = &draft.times.assumed_zone {
        meta.insert("assumedZone".to_owned(), json!(zone));
    }
    if !draft.times.day_precision.is_empty() {
        let days =
            draft.times.day_precision.iter().map(|field| ((*field).to_owned(), json!("day"))).collect();
        meta.insert("precision".to_owned(), Value::Object(days));
    }
    if !draft.repaired.is_empty() {
        meta.insert("repaired".to_owned(), json!(draft.repaired));
    }
    let source = &draft.source;
    if matches!(prepared.texts, Texts::Slices { .. }) && (source.kind.is_some() || source.id.is_some()) {
        meta.insert("source".to_owned(), json!({ "type": source.kind, "id": source.id }));
    }
    Value::Object(meta).to_string()
}

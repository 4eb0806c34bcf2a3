//! Changing a stored memory: the version rises, the old text stays in the history.

use rusqlite::params;
use signet_model::memory::outcome::{Edited, Versions};
use signet_model::memory::{CheckedChange, Text, Visibility, Warrant};
use signet_model::{Actor, AgentScope, Code, Detail, MemoryId};

use crate::audit::history::{self, Event, EventKind};
use crate::derived::embedding::{self, SourceType};
use crate::evidence::memory::remember::text_twin;
use crate::evidence::memory::row::MemoryRow;
use crate::evidence::memory::{admit, hints, safety, tags};
use crate::evidence::tombstone;
use crate::{Result, WriteTx};

/// Applies a change to one row. When every wanted value stands there already, nothing is written and
/// both versions are equal.
///
/// Refused: 404; 409 `deleted`, `version_conflict`, `duplicate_content_hash` (with `duplicateMemoryId`),
/// `state_conflict` (source or key taken at the new visibility), `forgotten`; for a machine 409
/// `episodic_content_immutable` (text or type) and 403 `machine_writer_denied` (pinned rows).
pub fn edit(
    tx: &WriteTx<'_>,
    scope: &AgentScope,
    actor: &Actor,
    (id, change): (&MemoryId, &CheckedChange),
    warrant: &Warrant,
) -> Result<Edited> {
    let row = admit::row(&tx.as_read(), scope, id)?;
    if row.deleted {
        return Err(admit::refuse(&row, Code::Deleted, "the memory is deleted"));
    }
    permit(actor, &row, change)?;
    admit::version(&row, warrant)?;
    let wanted = Wanted::over(&row, change);
    let repaired = change.repaired.iter().map(|field| (*field).to_owned()).collect();
    if wanted.fields.is_empty() {
        let versions = Versions { current: row.version, new: row.version };
        let embedded = embedding::is_embedded(&tx.as_read(), scope.agent(), id)?;
        return Ok(Edited { id: row.id, versions, content_changed: false, embedded, repaired });
    }
    if let Some(text) = wanted.text {
        tombstone::admit(tx, scope.agent(), actor, &text.hash)?;
    }
    refuse_twin(tx, &row, &wanted)?;
    write(tx, actor, &row, &wanted)?;
    if let Some(text) = wanted.text {
        replace_derived(tx, &row, text)?;
    }
    if wanted.fields.contains(&"tags") {
        tags::drop_all(tx, scope.agent(), id)?;
        tags::add(tx, scope.agent(), id, &wanted.tags)?;
    }
    remember_event(tx, actor, &row, &wanted, warrant)?;
    let content_changed = wanted.text.is_some();
    Ok(Edited {
        versions: Versions { current: row.version, new: row.version + 1 },
        content_changed,
        embedded: !content_changed && embedding::is_embedded(&tx.as_read(), scope.agent(), id)?,
        repaired,
        id: row.id,
    })
}

/// What a machine writer may not do (INV-2).
fn permit(actor: &Actor, row: &MemoryRow, change: &CheckedChange) -> Result<()> {
    if actor.kind.is_person() {
        return Ok(());
    }
    if (change.text.is_some() || change.kind.is_some()) && row.memory_kind == "episodic" {
        let sentence = "a machine writer cannot change the content or type of evidence";
        let refused = signet_model::memory::outcome::refusal(
            Code::EpisodicContentImmutable,
            sentence,
            &row.id,
            Some(row.version),
        );
        return Err(refused.hint("store a new memory with supersedes").into());
    }
    if row.pinned {
        return Err(admit::refuse(
            row,
            Code::MachineWriterDenied,
            "only a person may change a pinned memory",
        ));
    }
    Ok(())
}

/// The row's values after the change, and which of them differ.
struct Wanted<'a> {
    fields: Vec<&'static str>,
    text: Option<&'a Text>,
    repaired: &'a [&'static str],
    kind: &'a str,
    tags: Vec<String>,
    importance: f64,
    pinned: bool,
    visibility: Visibility,
    review_after: Option<String>,
}

impl<'a> Wanted<'a> {
    fn over(row: &'a MemoryRow, change: &'a CheckedChange) -> Self {
        let text = change.text.as_deref().filter(|text| text.content != row.content);
        let wanted = Self {
            fields: Vec::new(),
            text,
            repaired: &change.repaired,
            kind: change.kind.as_deref().unwrap_or(&row.kind),
            tags: change.tags.clone().unwrap_or_else(|| row.tag_list()),
            importance: change.importance.unwrap_or(row.importance),
            pinned: change.pinned.unwrap_or(row.pinned),
            visibility: change.visibility.unwrap_or(row.place.visibility),
            review_after: match change.review_after {
                Some(time) => time.map(|time| time.to_string()),
                None => row.review_after.clone(),
            },
        };
        let differs = [
            ("content", text.is_some()),
            ("type", wanted.kind != row.kind),
            ("tags", wanted.tags.join(",") != row.tags),
            ("importance", (wanted.importance - row.importance).abs() > f64::EPSILON),
            ("pinned", wanted.pinned != row.pinned),
            ("visibility", wanted.visibility != row.place.visibility),
            ("reviewAfter", wanted.review_after != row.review_after),
        ];
        let fields = differs.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
        Self { fields, ..wanted }
    }
}

fn refuse_twin(tx: &WriteTx<'_>, row: &MemoryRow, wanted: &Wanted<'_>) -> Result<()> {
    let mut at = row.clone();
    at.place.visibility = wanted.visibility;
    let hash = wanted.text.map_or(row.content_hash.as_str(), |text| text.hash.as_str());
    let moved = hash != row.content_hash || wanted.visibility != row.place.visibility;
    if row.dedupe != "text" || !moved || row.superseded_by.is_some() {
        return Ok(());
    }
    match text_twin(&tx.as_read(), &at, hash)? {
        Some(twin) => Err(duplicate(row, &twin)),
        None => Ok(()),
    }
}

/// 409 that names the row which holds the text already.
pub(super) fn duplicate(row: &MemoryRow, twin: &MemoryId) -> crate::StoreError {
    let sentence = "another memory holds the same text";
    signet_model::memory::outcome::refusal(Code::DuplicateContentHash, sentence, &row.id, Some(row.version))
        .with("duplicateMemoryId", Detail::Text(twin.as_str().to_owned()))
        .into()
}

/// A unique index that only source or key can still hit.
pub(super) fn taken(row: &MemoryRow, failure: crate::StoreError) -> crate::StoreError {
    match failure {
        crate::StoreError::Sqlite(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) =>
        {
            let sentence = "another memory holds the same source id or idempotency key";
            admit::refuse(row, Code::StateConflict, sentence)
        }
        other => other,
    }
}

/// The text, then the fields; both with the same new version.
fn write(tx: &WriteTx<'_>, actor: &Actor, row: &MemoryRow, wanted: &Wanted<'_>) -> Result<()> {
    const TEXT: &str = "UPDATE memories SET content = ?3, search_text = ?4, content_hash = ?5,
          normalized_content = ?6, evidence_meta = ?7, manual_override = 1, update_count = update_count + 1,
          version = ?8, updated_at = ?9
        WHERE agent_id = ?1 AND id = ?2";
    const FIELDS: &str =
        "UPDATE memories SET type = ?3, tags = ?4, importance = ?5, pinned = ?6, visibility = ?7,
          review_after = ?8, version = ?9, updated_at = ?10, updated_by = ?11
        WHERE agent_id = ?1 AND id = ?2";
    let (agent, id) = (row.agent.as_str(), row.id.as_str());
    let (version, now) = (row.version + 1, tx.now().to_string());
    if let Some(text) = wanted.text {
        let meta = meta(row, wanted.repaired);
        let forms = (&text.content, &text.search, &text.hash, &text.normalized);
        tx.execute(TEXT, params![agent, id, forms.0, forms.1, forms.2, forms.3, meta, version, now])
            .map_err(|failure| taken(row, failure))?;
    }
    if row.dedupe == "group" && (wanted.text.is_some() || wanted.visibility != row.place.visibility) {
        leave_group(tx, row)?;
    }
    let (tags, visibility) = (wanted.tags.join(","), wanted.visibility.as_str());
    let fields = (wanted.kind, wanted.importance, wanted.pinned, &wanted.review_after);
    tx.execute(
        FIELDS,
        params![
            agent, id, fields.0, tags, fields.1, fields.2, visibility, fields.3, version, now, actor.name
        ],
    )
    .map_err(|failure| taken(row, failure))?;
    Ok(())
}

/// A slice with another text or reader is no part of its long text any more: that text may be stored
/// again, under the same key.
fn leave_group(tx: &WriteTx<'_>, row: &MemoryRow) -> Result<()> {
    const SQL: &str = "UPDATE memories SET dedupe = 'none', group_hash = NULL, idempotency_key = NULL,
          evidence_meta = json_set(evidence_meta, '$.groupHash', group_hash)
        WHERE agent_id = ?1 AND id = ?2 AND dedupe = 'group'";
    tx.execute(SQL, params![row.agent.as_str(), row.id.as_str()])?;
    Ok(())
}

/// `evidence_meta` with the new text's repair noted.
fn meta(row: &MemoryRow, repaired: &[&str]) -> String {
    let Ok(serde_json::Value::Object(mut meta)) = serde_json::from_str(&row.evidence_meta) else {
        return row.evidence_meta.clone();
    };
    if repaired.is_empty() {
        meta.remove("repaired");
    } else {
        meta.insert("repaired".to_owned(), serde_json::json!(repaired));
    }
    serde_json::Value::Object(meta).to_string()
}

/// What was made from the old text goes; the verdict is the new text's. The new vector is queued by
/// a trigger.
fn replace_derived(tx: &WriteTx<'_>, row: &MemoryRow, text: &Text) -> Result<()> {
    embedding::drop_vectors(tx, &row.agent, SourceType::Memory, row.id.as_str())?;
    hints::drop_generated(tx, &row.agent, &row.id)?;
    safety::put(tx, &row.agent, &row.id, text)
}

fn remember_event(
    tx: &WriteTx<'_>,
    actor: &Actor,
    row: &MemoryRow,
    wanted: &Wanted<'_>,
    warrant: &Warrant,
) -> Result<()> {
    let mut event = Event::new(&row.id, EventKind::Updated, Some(&warrant.reason))
        .with("changedFields", wanted.fields.clone())
        .with("contentChanged", wanted.text.is_some());
    if let Some(seen) = warrant.if_version {
        event = event.with("ifVersion", seen);
    }
    if let Some(text) = wanted.text {
        event.old = Some(&row.content);
        event.new = Some(&text.content);
    }
    history::record(tx, &row.agent, actor, event)
}

#[cfg(test)]
mod tests;

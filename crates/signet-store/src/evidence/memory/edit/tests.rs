use signet_model::memory::outcome::{Edited, Versions};
use signet_model::memory::{Change, Draft, Place, Visibility, forget::Force};
use signet_model::{AgentScope, Code, Detail, MemoryId};

use super::super::test_support::{Acts, code, draft, machine, person, refusal};

fn content(text: &str) -> Change {
    Change { content: Some(text.to_owned()), ..Change::default() }
}

fn visible(visibility: Visibility) -> Change {
    Change { visibility: Some(visibility), ..Change::default() }
}

#[test]
fn a_new_text_replaces_what_was_made_from_the_old_one() {
    let acts = Acts::new();
    let id = acts.remember(Draft { hints: vec!["a supplied quokka".to_owned()], ..draft("old wombat") }).id;
    acts.embed(&id);
    acts.store
        .raw()
        .execute_batch(&format!(
            "INSERT INTO memory_hints (rid, agent_id, memory_id, hint, origin, created_at)
         VALUES (99, 'default', '{id}', 'a generated numbat', 'generated', 'x')"
        ))
        .expect("hint");
    let done = acts.edit(&person(), &id, content("new platypus")).expect("is changed");
    let versions = Versions { current: 1, new: 2 };
    assert_eq!(
        done,
        Edited { id: id.clone(), versions, content_changed: true, embedded: false, repaired: Vec::new() }
    );
    for (word, count) in [("wombat", 0), ("numbat", 0), ("platypus", 1), ("quokka", 1)] {
        assert_eq!(acts.indexed(word), count, "{word}");
    }
    assert_eq!(acts.store.number("SELECT count(*) FROM embeddings"), 0);
    assert_eq!(acts.store.number("SELECT count(*) FROM embedding_work WHERE state = 'pending'"), 1);
    let row = acts.row(&id).expect("stays");
    assert_eq!((row.content.as_str(), row.version), ("new platypus", 2));
    let flags = acts.store.number("SELECT manual_override + update_count FROM memories");
    assert_eq!(flags, 2);
    let same =
        "SELECT count(*) FROM memories m JOIN memory_content_safety s ON s.content_hash = m.content_hash";
    assert_eq!(acts.store.number(same), 1);
    let event = acts.events(&id).pop().expect("is recorded");
    assert_eq!(
        (event.old_content.as_deref(), event.new_content.as_deref()),
        (Some("old wombat"), Some("new platypus"))
    );
    assert_eq!(
        event.metadata,
        Some(serde_json::json!({ "changedFields": ["content"], "contentChanged": true }))
    );
}

#[test]
fn other_fields_change_without_touching_text_or_index() {
    let acts = Acts::new();
    let id = acts.remember(Draft { tags: Some(vec!["a".to_owned()]), ..draft("steady text") }).id;
    acts.embed(&id);
    let change = Change {
        tags: Some(vec!["b".to_owned()]),
        importance: Some(0.1),
        pinned: Some(true),
        kind: Some("rule".to_owned()),
        review_after: Some(Some(signet_model::Timestamp::from_millis(0))),
        ..visible(Visibility::Private)
    };
    let done = acts.edit(&person(), &id, change).expect("is changed");
    assert_eq!((done.content_changed, done.embedded), (false, true));
    let row = acts.row(&id).expect("stays");
    assert_eq!((row.tags.as_str(), row.importance, row.pinned, row.kind.as_str()), ("b", 0.1, true, "rule"));
    assert_eq!(row.review_after.as_deref(), Some("1970-01-01T00:00:00.000Z"));
    assert_eq!(acts.store.number("SELECT count(*) FROM memory_tags WHERE tag = 'b'"), 1);
    let event = acts.events(&id).pop().expect("is recorded");
    assert_eq!((event.old_content, event.new_content), (None, None));
    let clear = Change { tags: Some(Vec::new()), review_after: Some(None), ..Change::default() };
    acts.edit(&person(), &id, clear).expect("is changed");
    assert_eq!(acts.row(&id).map(|row| (row.tags, row.review_after)), Some((String::new(), None)));
}

#[test]
fn the_same_values_write_nothing() {
    let acts = Acts::new();
    let id = acts.say("as it is");
    let before = acts.store.dump();
    let change = Change { importance: Some(0.8), ..content("as it is\n") };
    let done = acts.edit(&person(), &id, change).expect("is accepted");
    assert_eq!(done.versions, Versions { current: 1, new: 1 });
    assert_eq!(acts.store.dump(), before);
}

#[test]
fn a_change_knows_its_version() {
    let acts = Acts::new();
    let id = acts.say("one");
    acts.edit_at(&person(), &id, content("two"), Some(1)).expect("is changed");
    let error = refusal(acts.edit_at(&person(), &id, content("three"), Some(1)));
    assert_eq!(error.code, Code::VersionConflict);
    assert_eq!(
        error.details,
        [
            ("id", Detail::Text(id.to_string())),
            ("status", Detail::Text("version_conflict".to_owned())),
            ("currentVersion", Detail::Number(2))
        ]
    );
}

#[test]
fn a_text_that_is_there_already_is_named() {
    let acts = Acts::new();
    let (one, two) = (acts.say("one"), acts.say("two"));
    let error = refusal(acts.edit(&person(), &one, content("Two.")));
    assert_eq!(error.code, Code::DuplicateContentHash);
    assert!(error.details.contains(&("duplicateMemoryId", Detail::Text(two.to_string()))));
    let private = Place { visibility: Visibility::Private, ..Place::default() };
    let hidden = acts.remember(Draft { place: private, ..draft("one") }).id;
    assert_eq!(code(acts.edit(&person(), &hidden, visible(Visibility::Global))), Code::DuplicateContentHash);
    acts.edit(&person(), &one, content("ONE!")).expect("its own text in another spelling");
}

#[test]
fn a_source_taken_at_the_new_visibility_is_a_conflict() {
    let acts = Acts::new();
    let at = |visibility| Draft {
        place: Place { visibility, ..Place::default() },
        source: signet_model::memory::Source { id: Some("s".to_owned()), ..Default::default() },
        ..draft(visibility.as_str())
    };
    acts.remember(at(Visibility::Global));
    let private = acts.remember(at(Visibility::Private)).id;
    assert_eq!(code(acts.edit(&person(), &private, visible(Visibility::Global))), Code::StateConflict);
}

#[test]
fn machines_change_marks_but_no_evidence_and_no_pins() {
    let acts = Acts::new();
    let id = acts.say("evidence");
    let error = refusal(acts.edit(&machine(), &id, content("cleaned")));
    assert_eq!(error.code, Code::EpisodicContentImmutable);
    assert_eq!(error.hint.as_deref(), Some("store a new memory with supersedes"));
    let kind = Change { kind: Some("rule".to_owned()), ..Change::default() };
    assert_eq!(code(acts.edit(&machine(), &id, kind)), Code::EpisodicContentImmutable);
    let pin = Change { pinned: Some(true), tags: Some(vec!["t".to_owned()]), ..Change::default() };
    acts.edit(&machine(), &id, pin).expect("marks may change");
    let low = Change { importance: Some(0.1), ..Change::default() };
    assert_eq!(code(acts.edit(&machine(), &id, low.clone())), Code::MachineWriterDenied);
    acts.edit(&person(), &id, low).expect("a person may");
}

#[test]
fn what_is_missing_gone_or_out_of_scope_is_refused() {
    let mut acts = Acts::new();
    let id = acts
        .remember(Draft { place: Place { project: "p".to_owned(), ..Place::default() }, ..draft("x") })
        .id;
    assert_eq!(code(acts.edit(&person(), &MemoryId::from("nobody"), content("y"))), Code::NotFound);
    acts.scope = AgentScope::granted("default".into(), Some(vec!["q".to_owned()]), None);
    assert_eq!(code(acts.edit(&person(), &id, content("y"))), Code::ScopeRestricted);
    acts.scope = AgentScope::granted("mira".into(), None, None);
    assert_eq!(code(acts.edit(&person(), &id, content("y"))), Code::NotFound);
    acts.scope = super::super::test_support::scope();
    acts.forget(&person(), &id, Force::No).expect("is forgotten");
    assert_eq!(code(acts.edit(&person(), &id, content("y"))), Code::Deleted);
}

#[test]
fn a_machine_cannot_edit_a_forgotten_text_back_and_a_person_can() {
    let acts = Acts::new();
    let gone = acts.say("secret plan");
    acts.forget(&person(), &gone, Force::No).expect("is forgotten");
    let id = acts.say("other");
    acts.edit(&person(), &id, content("secret plan")).expect("a person may");
    acts.try_remember(&machine(), draft("secret plan")).expect("the tombstone is gone");
}

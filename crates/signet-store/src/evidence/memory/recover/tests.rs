use signet_model::memory::{Draft, Source, forget::Force};
use signet_model::{Code, Detail, MemoryId};

use super::super::test_support::{Acts, code, draft, machine, person, refusal};

fn forgotten(acts: &Acts, draft: Draft) -> MemoryId {
    let id = acts.remember(draft).id;
    acts.forget(&person(), &id, Force::Yes).expect("is forgotten");
    id
}

#[test]
fn a_recovered_row_is_found_again_and_its_text_is_free() {
    let acts = Acts::new();
    let id =
        forgotten(&acts, Draft { hints: vec!["who likes quolls?".to_owned()], ..draft("Ana likes quokkas") });
    let done = acts.recover(&person(), &id).expect("is recovered");
    assert_eq!((done.versions.current, done.versions.new), (2, 3));
    assert_eq!((acts.indexed("quokkas"), acts.indexed("quolls")), (1, 1));
    assert_eq!(acts.store.number("SELECT count(*) FROM embedding_work WHERE state = 'pending'"), 1);
    assert_eq!(acts.store.number("SELECT count(*) FROM forget_tombstones"), 0);
    assert_eq!(acts.row(&id).map(|row| (row.deleted, row.deleted_at)), Some((false, None)));
    let events: Vec<_> = acts.events(&id).into_iter().map(|event| event.event).collect();
    assert_eq!(events, ["created", "deleted", "recovered"]);
}

#[test]
fn the_window_is_thirty_days() {
    let acts = Acts::new();
    let (id, other) = (forgotten(&acts, draft("a")), forgotten(&acts, draft("b")));
    acts.store.clock.advance_days(30);
    acts.recover(&person(), &id).expect("to the last millisecond");
    acts.store.clock.advance(1);
    assert_eq!(code(acts.recover(&person(), &other)), Code::RetentionExpired);
}

#[test]
fn a_text_stored_again_meanwhile_is_named() {
    let acts = Acts::new();
    let id = forgotten(&acts, draft("back soon"));
    let newer = acts.say("Back soon.");
    let error = refusal(acts.recover(&person(), &id));
    assert_eq!(error.code, Code::DuplicateContentHash);
    assert!(error.details.contains(&("duplicateMemoryId", Detail::Text(newer.to_string()))));
}

#[test]
fn a_key_used_meanwhile_stays_with_the_newer_row_and_a_source_is_a_conflict() {
    let acts = Acts::new();
    let keyed = |text: &str| Draft { idempotency_key: Some("k".to_owned()), ..draft(text) };
    let id = forgotten(&acts, keyed("one"));
    let newer = acts.remember(keyed("two")).id;
    acts.recover(&person(), &id).expect("is recovered");
    let key = |id: &MemoryId| acts.row(id).and_then(|row| row.idempotency_key);
    assert_eq!((key(&id), key(&newer)), (None, Some("k".to_owned())));
    let sourced = |text: &str| Draft {
        source: Source { id: Some("s".to_owned()), ..Source::default() },
        ..draft(text)
    };
    let id = forgotten(&acts, sourced("three"));
    acts.remember(sourced("four"));
    assert_eq!(code(acts.recover(&person(), &id)), Code::StateConflict);
}

#[test]
fn only_a_person_recovers_and_only_what_is_forgotten() {
    let acts = Acts::new();
    let id = forgotten(&acts, draft("x"));
    assert_eq!(code(acts.recover(&machine(), &id)), Code::MachineWriterDenied);
    assert_eq!(code(acts.recover(&person(), &acts.say("alive"))), Code::NotDeleted);
    assert_eq!(code(acts.recover(&person(), &MemoryId::from("nobody"))), Code::NotFound);
}

use signet_model::memory::outcome::{Remembered, RememberedGroup};
use signet_model::memory::{Change, Draft, Visibility, forget::Force};
use signet_model::{AgentScope, Code, Detail, MemoryId};

use crate::evidence::memory::test_support::{Acts, code, draft, person, refusal};

fn long() -> Draft {
    let text = (0..60).map(|n| format!("Sentence number {n} about the garden.")).collect::<Vec<_>>();
    Draft { idempotency_key: Some("k".to_owned()), ..draft(&text.join("\n")) }
}

fn store(acts: &Acts, draft: Draft) -> RememberedGroup {
    match acts.try_remember(&person(), draft).expect("is stored") {
        Remembered::Group(group) => group,
        Remembered::One(one) => panic!("was not split: {one:?}"),
    }
}

fn joined(acts: &Acts, ids: &[MemoryId]) -> String {
    ids.iter().map(|id| acts.row(id).expect("is stored").content).collect()
}

/// Changes slice `n` in one way after another; each time the text is stored whole again, and known then.
fn stored_again_after(harm: impl Fn(&Acts, &MemoryId)) {
    for n in [0, 1, 2] {
        let acts = Acts::new();
        let first = store(&acts, long());
        assert_eq!(store(&acts, long()).ids, first.ids, "a whole text is known");
        harm(&acts, &first.ids[n]);
        let again = store(&acts, long());
        assert!(!again.deduped, "slice {n}");
        assert_eq!(joined(&acts, &again.ids), long().content);
        let known = store(&acts, long());
        assert_eq!((known.deduped, known.ids), (true, again.ids.clone()));
        harm(&acts, &again.ids[n]);
        let keyless = store(&acts, Draft { idempotency_key: None, ..long() });
        assert_eq!((keyless.deduped, joined(&acts, &keyless.ids)), (false, long().content));
    }
}

#[test]
fn a_text_with_a_forgotten_slice_is_stored_again() {
    stored_again_after(|acts, id| {
        acts.forget(&person(), id, Force::No).expect("is forgotten");
    });
}

#[test]
fn a_text_with_a_replaced_slice_is_stored_again() {
    stored_again_after(|acts, id| {
        let by = acts.say("something else");
        acts.supersede(&person(), id, &by).expect("is replaced");
    });
}

#[test]
fn a_text_with_a_slice_made_private_is_stored_again() {
    stored_again_after(|acts, id| {
        let change = Change { visibility: Some(Visibility::Private), ..Change::default() };
        acts.edit(&person(), id, change).expect("is edited");
    });
}

#[test]
fn a_text_with_an_edited_slice_is_stored_again() {
    stored_again_after(|acts, id| {
        let text = acts.row(id).expect("is stored").content;
        // The same words in capitals: even an edit that keeps the hash is another text.
        let change = Change { content: Some(text.trim().to_uppercase()), ..Change::default() };
        acts.edit(&person(), id, change).expect("is edited");
    });
}

#[test]
fn an_edited_slice_leaves_its_group_and_a_tagged_one_does_not() {
    let acts = Acts::new();
    let group = store(&acts, long());
    let hash = acts.row(&group.ids[0]).and_then(|row| row.group_hash).expect("a hash");
    let tags = Change { tags: Some(vec!["a".to_owned()]), ..Change::default() };
    acts.edit(&person(), &group.ids[0], tags).expect("is edited");
    assert!(store(&acts, long()).deduped);
    let text = Change { content: Some("other".to_owned()), ..Change::default() };
    acts.edit(&person(), &group.ids[1], text).expect("is edited");
    let row = acts.row(&group.ids[1]).expect("is stored");
    assert_eq!((row.dedupe.as_str(), row.group_hash, row.idempotency_key), ("none", None, None));
    assert!(row.evidence_meta.contains(&hash), "{}", row.evidence_meta);
    assert_eq!(row.group_id, Some(group.group));
}

#[test]
fn a_rest_of_a_text_still_keeps_its_key_from_other_texts() {
    let acts = Acts::new();
    let group = store(&acts, long());
    acts.forget(&person(), &group.ids[0], Force::No).expect("is forgotten");
    let other = |text: String| Draft { content: text, ..long() };
    for text in ["short".to_owned(), long().content.to_uppercase().replace("GARDEN", "HOUSE")] {
        let error = refusal(acts.try_remember(&person(), other(text)));
        assert_eq!(error.code, Code::IdempotencyMismatch);
        assert_eq!(error.details, [("existingId", Detail::Text(group.ids[1].to_string()))]);
    }
}

#[test]
fn a_slice_of_a_text_stored_again_is_a_duplicate_and_one_of_its_own_text_comes_back() {
    let acts = Acts::new();
    let first = store(&acts, long());
    acts.forget(&person(), &first.ids[1], Force::No).expect("is forgotten");
    acts.recover(&person(), &first.ids[1]).expect("is recovered");
    assert_eq!(store(&acts, long()).ids, first.ids, "the text is whole again");
    acts.forget(&person(), &first.ids[1], Force::No).expect("is forgotten");
    let second = store(&acts, long());
    let error = refusal(acts.recover(&person(), &first.ids[1]));
    assert_eq!(error.code, Code::DuplicateContentHash);
    assert!(error.details.contains(&("duplicateMemoryId", Detail::Text(second.ids[1].to_string()))));
}

#[test]
fn another_users_key_is_refused_without_its_row() {
    let mut acts = Acts::new();
    let keyed = |who: &str, text: &str| Draft {
        idempotency_key: Some("k".to_owned()),
        who: Some(who.to_owned()),
        ..draft(text)
    };
    acts.remember(keyed("ana", "one"));
    acts.scope = AgentScope::granted("default".into(), None, Some("ben".into()));
    let error = refusal(acts.try_remember(&person(), keyed("ben", "two")));
    assert_eq!((error.code, error.details), (Code::ScopeRestricted, Vec::new()));
    acts.scope = AgentScope::granted("default".into(), None, Some("ana".into()));
    assert_eq!(code(acts.try_remember(&person(), keyed("ana", "two"))), Code::IdempotencyMismatch);
}

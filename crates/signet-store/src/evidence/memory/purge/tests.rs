use signet_model::memory::{Change, Draft};
use signet_model::{Code, MemoryId};

use super::super::test_support::{Acts, code, draft, keep_answer, machine, person};
use super::*;
use crate::audit::receipt::Receipt;

fn asked(depth: Depth, force: Force) -> Purge {
    Purge { depth, force, reason: "clean up".to_owned(), remaining: Vec::new(), backups: Vec::new() }
}

fn purge_as(acts: &Acts, actor: &Actor, id: &MemoryId, asked: Purge) -> Result<Purged> {
    let (scope, actor, id) = (acts.scope.clone(), actor.clone(), id.clone());
    acts.write(move |tx| purge(tx, &scope, &actor, &id, &asked))
}

fn receipts(acts: &Acts) -> Vec<Receipt> {
    let agent = acts.scope.agent().clone();
    acts.read(move |tx| receipt::list(tx, &agent, 10))
}

fn full(acts: &Acts, text: &str) -> MemoryId {
    let id = acts
        .remember(Draft {
            tags: Some(vec!["a".to_owned()]),
            hints: vec!["what of xylophones?".to_owned()],
            ..draft(text)
        })
        .id;
    acts.embed(&id);
    id
}

#[test]
fn a_purge_takes_the_row_and_leaves_copy_history_and_receipt() {
    let acts = Acts::new();
    let id = full(&acts, "Ana owns a theremin");
    let purged = purge_as(&acts, &person(), &id, asked(Depth::Purge, Force::No)).expect("is purged");
    // The vector went when the row was forgotten, in the same closure.
    assert_eq!(
        purged.removed,
        [("memory_hints", 1), ("memory_tags", 1), ("memory_content_safety", 1), ("memories", 1)]
    );
    assert_eq!(acts.row(&id), None);
    for table in ["embeddings", "embedding_work", "memory_hints", "memory_tags", "memory_content_safety"] {
        assert_eq!(acts.store.number(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    let copy = "SELECT count(*) FROM memories_cold WHERE content = 'Ana owns a theremin' AND archived_reason = 'purge'
        AND json_extract(original_row_json, '$.tags') = 'a' AND json_extract(original_row_json, '$.rid') > 0";
    assert_eq!(acts.store.number(copy), 1);
    let events: Vec<_> = acts.events(&id).into_iter().map(|event| (event.event, event.new_content)).collect();
    let word = |word: &str, text: Option<&str>| (word.to_owned(), text.map(str::to_owned));
    assert_eq!(
        events,
        [word("created", Some("Ana owns a theremin")), word("deleted", None), word("purged", None)]
    );
    let found = receipts(&acts);
    assert_eq!((found.len(), found[0].mode.as_str(), &found[0].id), (1, "purge", &purged.receipt));
    assert!(!found[0].body.to_string().contains("theremin"), "a receipt holds no text");
    assert_eq!(code(acts.try_remember(&machine(), draft("ana owns a theremin"))), Code::Forgotten);
}

#[test]
fn an_erase_leaves_no_byte_of_the_text_and_says_where_it_still_stands() {
    let acts = Acts::new();
    let id = full(&acts, "zyzzyva number one");
    let other = acts.say("a note that cites: Zyzzyva Number ONE today");
    let change = Change { content: Some("zyzzyva number two".to_owned()), ..Change::default() };
    let earlier = full(&acts, "qwertzuiop");
    acts.edit(&person(), &earlier, change).expect("is changed");
    let (agent, asked_id) = (acts.scope.agent().clone(), id.clone());
    let places = acts.read(move |tx| remaining(tx, &agent, &asked_id));
    let place = |store, reference: &MemoryId| Remaining { store, reference: reference.to_string(), count: 1 };
    assert_eq!(places, [place("memories", &other), place("memory_history", &other)]);
    let request =
        Purge { remaining: places, backups: vec!["old.db".to_owned()], ..asked(Depth::Erase, Force::No) };
    let purged = purge_as(&acts, &person(), &id, request).expect("is erased");
    assert!(purged.removed.contains(&("memory_history texts", 1)), "{:?}", purged.removed);
    let events: Vec<_> =
        acts.events(&id).into_iter().map(|e| (e.event, e.old_content.or(e.new_content))).collect();
    assert_eq!(
        events.iter().map(|(event, _)| event.as_str()).collect::<Vec<_>>(),
        ["created", "deleted", "purged", "erased"]
    );
    assert!(events.iter().all(|(_, text)| text.is_none()));
    let body = receipts(&acts)[0].body.clone();
    assert_eq!(body["remaining"][0]["ref"], other.as_str());
    assert_eq!(body["backupsHolding"], serde_json::json!(["old.db"]));
    assert_eq!(acts.store.number("SELECT count(*) FROM forget_tombstones WHERE erased = 1"), 1);

    purge_as(&acts, &person(), &other, asked(Depth::Erase, Force::No)).expect("is erased");
    purge_as(&acts, &person(), &earlier, asked(Depth::Erase, Force::No)).expect("is erased");
    // The daemon still runs: neither the file nor its log may hold the words.
    let mut bytes = std::fs::read(acts.store.database()).expect("reads");
    bytes.extend(std::fs::read(acts.store.database().with_extension("db-wal")).unwrap_or_default());
    for word in ["zyzzyva", "Zyzzyva", "qwertzuiop", "xylophones", "xylophon"] {
        assert!(!bytes.windows(word.len()).any(|w| w == word.as_bytes()), "{word} is still in the file");
    }
}

#[test]
fn an_erase_after_a_purge_takes_the_copy_and_its_twins() {
    let acts = Acts::new();
    let id = full(&acts, "same words");
    purge_as(&acts, &person(), &id, asked(Depth::Purge, Force::No)).expect("is purged");
    let again = full(&acts, "Same words!");
    purge_as(&acts, &person(), &again, asked(Depth::Purge, Force::No)).expect("is purged");
    assert_eq!(acts.store.number("SELECT count(*) FROM memories_cold"), 2);
    assert_eq!(code(purge_as(&acts, &person(), &id, asked(Depth::Purge, Force::No))), Code::NotFound);
    let erased = purge_as(&acts, &person(), &id, asked(Depth::Erase, Force::No)).expect("is erased");
    assert_eq!(erased.removed, [("memories_cold", 2), ("memory_history texts", 1)]);
    assert_eq!(acts.store.number("SELECT count(*) FROM memories_cold"), 0);
}

#[test]
fn only_a_person_purges_and_pins_need_force() {
    let acts = Acts::new();
    let id = acts.remember(Draft { pinned: Some(true), ..draft("pin") }).id;
    let ask =
        |actor: &Actor, id: &MemoryId, force| code(purge_as(&acts, actor, id, asked(Depth::Purge, force)));
    assert_eq!(ask(&machine(), &id, Force::Yes), Code::MachineWriterDenied);
    assert_eq!(ask(&person(), &id, Force::No), Code::PinnedRequiresForce);
    assert_eq!(ask(&person(), &MemoryId::from("nobody"), Force::No), Code::NotFound);
    purge_as(&acts, &person(), &id, asked(Depth::Purge, Force::Yes)).expect("is purged");
}

#[test]
fn a_backup_that_holds_the_row_is_named() {
    let acts = Acts::new();
    let id = acts.say("kept elsewhere");
    let folder = acts.store.workspace().join("backups");
    std::fs::create_dir(&folder).expect("folder");
    acts.store.store().backup(&folder.join("with.db")).expect("is copied");
    std::fs::write(folder.join("notes.txt"), "no database").expect("writes");
    let folders = [folder.clone(), folder.join("missing"), acts.store.workspace().join("memory")];
    let agent = acts.scope.agent().clone();
    assert_eq!(backups_holding(&folders, &agent, &id), ["with.db"]);
    assert_eq!(backups_holding(&folders, &agent, &MemoryId::from("nobody")), Vec::<String>::new());
}

#[test]
fn a_purge_takes_the_kept_answers_that_hold_the_text() {
    for depth in [Depth::Purge, Depth::Erase] {
        let acts = Acts::new();
        let id = acts.say("Ana owns a theremin");
        keep_answer(&acts, "default", &format!(r#"{{"id":"{id}","content":"Ana owns a theremin"}}"#));
        let purged = purge_as(&acts, &person(), &id, asked(depth, Force::No)).expect("is purged");
        assert!(purged.removed.contains(&("idempotency_keys", 1)), "{depth:?}: {:?}", purged.removed);
        assert_eq!(acts.store.number("SELECT count(*) FROM idempotency_keys"), 0);
        let other = acts.say("Ben owns a zither");
        keep_answer(&acts, "default", r#"{"id":"another"}"#);
        let purged = purge_as(&acts, &person(), &other, asked(depth, Force::No)).expect("is purged");
        assert!(purged.removed.iter().all(|(store, _)| *store != "idempotency_keys"), "{:?}", purged.removed);
        assert_eq!(acts.store.number("SELECT count(*) FROM idempotency_keys"), 1);
    }
}

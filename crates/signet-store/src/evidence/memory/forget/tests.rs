use signet_model::memory::outcome::{Forgotten, Versions};
use signet_model::memory::{Draft, forget::Force};
use signet_model::{Code, MemoryId};

use super::super::test_support::{Acts, code, draft, machine, person};

#[test]
fn a_forgotten_row_leaves_index_vectors_and_queue_at_once_and_after_a_restart() {
    let mut acts = Acts::new();
    let id =
        acts.remember(Draft { hints: vec!["who likes quolls?".to_owned()], ..draft("Ana likes quokkas") }).id;
    acts.embed(&id);
    assert_eq!((acts.indexed("quokkas"), acts.indexed("quolls")), (1, 1));
    let done = acts.forget(&person(), &id, Force::No).expect("is forgotten");
    let until = acts.store.ids().now().plus_millis(30 * 86_400_000);
    assert_eq!(
        done,
        Forgotten { id: id.clone(), versions: Versions { current: 1, new: 2 }, recoverable_until: until }
    );
    for _ in 0..2 {
        assert_eq!((acts.indexed("quokkas"), acts.indexed("quolls")), (0, 0));
        assert_eq!(
            acts.store
                .number("SELECT (SELECT count(*) FROM embeddings) + (SELECT count(*) FROM embedding_work)"),
            0
        );
        acts.store.reopen();
    }
    let row = acts.row(&id).expect("waits");
    assert!(row.deleted && row.deleted_at.is_some());
    assert_eq!(
        acts.store.number("SELECT count(*) FROM forget_tombstones WHERE actor = 'ana' AND reason = 'test'"),
        1
    );
    let event = acts.events(&id).pop().expect("is recorded");
    assert_eq!(
        (event.event.as_str(), event.metadata),
        ("deleted", Some(serde_json::json!({ "force": false, "via": "forget" })))
    );
    assert_eq!(acts.store.number("SELECT value FROM counters WHERE name = 'memories.live'"), 0);
}

#[test]
fn pins_yield_to_a_person_with_force_only() {
    let acts = Acts::new();
    let id = acts.remember(Draft { pinned: Some(true), ..draft("pin") }).id;
    assert_eq!(code(acts.forget(&person(), &id, Force::No)), Code::PinnedRequiresForce);
    assert_eq!(code(acts.forget(&machine(), &id, Force::No)), Code::PinnedRequiresForce);
    assert_eq!(code(acts.forget(&machine(), &id, Force::Yes)), Code::AutonomousForceDenied);
    acts.forget(&person(), &id, Force::Yes).expect("is forgotten");
}

#[test]
fn a_machine_forgets_what_is_not_pinned_and_nothing_twice() {
    let acts = Acts::new();
    let id = acts.say("loose");
    acts.forget(&machine(), &id, Force::Yes).expect("force is not needed here");
    assert_eq!(code(acts.forget(&person(), &id, Force::No)), Code::AlreadyDeleted);
    assert_eq!(code(acts.forget(&person(), &MemoryId::from("nobody"), Force::No)), Code::NotFound);
}

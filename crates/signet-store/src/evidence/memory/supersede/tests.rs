use signet_model::memory::outcome::{Superseded, Versions};
use signet_model::memory::{Draft, Place, Visibility, forget::Force};
use signet_model::{Code, MemoryId};

use super::super::test_support::{Acts, code, draft, machine, person};

#[test]
fn the_old_row_stays_and_names_its_successor() {
    let acts = Acts::new();
    let (old, new) = (acts.say("the port is 80"), acts.say("the port is 81"));
    let done = acts.supersede(&person(), &old, &new).expect("is replaced");
    let versions = Versions { current: 1, new: 2 };
    assert_eq!(done, Superseded { id: old.clone(), by: new.clone(), versions });
    let row = acts.row(&old).expect("stays");
    assert_eq!((row.superseded_by, row.version, row.deleted), (Some(new.clone()), 2, false));
    let event = acts.events(&old).pop().expect("is recorded");
    assert_eq!(
        (event.event.as_str(), event.metadata),
        ("superseded", Some(serde_json::json!({ "by": new.as_str() })))
    );
}

#[test]
fn refusals_by_rule() {
    let acts = Acts::new();
    let (a, b, c) = (acts.say("a"), acts.say("b"), acts.say("c"));
    let gone = acts.say("gone");
    acts.forget(&person(), &gone, Force::No).expect("is forgotten");
    let private = acts
        .remember(Draft {
            place: Place { visibility: Visibility::Private, ..Place::default() },
            ..draft("p")
        })
        .id;
    let pinned = acts.remember(Draft { pinned: Some(true), ..draft("pin") }).id;
    let nobody = MemoryId::from("nobody");
    let ask = |id: &MemoryId, by: &MemoryId| code(acts.supersede(&person(), id, by));
    assert_eq!(ask(&nobody, &a), Code::NotFound);
    assert_eq!(ask(&a, &nobody), Code::NotFound);
    assert_eq!(ask(&a, &a), Code::SelfSupersede);
    assert_eq!(ask(&gone, &a), Code::Deleted);
    assert_eq!(ask(&a, &gone), Code::Deleted);
    assert_eq!(ask(&a, &private), Code::ScopeMismatch);
    assert_eq!(code(acts.supersede(&machine(), &pinned, &a)), Code::MachineWriterDenied);
    acts.supersede(&person(), &a, &b).expect("is replaced");
    assert_eq!(ask(&a, &c), Code::AlreadySuperseded);
    acts.supersede(&machine(), &b, &c).expect("a machine may replace what is not pinned");
    assert_eq!(ask(&c, &a), Code::StateConflict);
}

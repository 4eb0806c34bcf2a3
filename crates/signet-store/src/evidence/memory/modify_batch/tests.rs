use signet_model::memory::{Change, Warrant};
use signet_model::{Code, Error, MemoryId};

use super::super::test_support::{Acts, person};
use super::*;

#[test]
fn a_bad_item_stops_no_other_and_leaves_no_trace() {
    let acts = Acts::new();
    let (one, two) = (acts.say("one"), acts.say("two"));
    let patch = |id: &MemoryId, change: Change| Patch {
        id: id.clone(),
        change: change.checked(),
        warrant: Warrant::because("tidy"),
    };
    let text = |text: &str| Change { content: Some(text.to_owned()), ..Change::default() };
    let patches = vec![
        patch(&one, text("two")),
        patch(&MemoryId::from("nobody"), text("x")),
        Patch {
            id: two.clone(),
            change: Err(Error::field("importance", "bad")),
            warrant: Warrant::because("x"),
        },
        patch(&two, text("three")),
        patch(&one, text("two")),
    ];
    let scope = acts.scope.clone();
    let results = acts.write(move |tx| modify(tx, &scope, &person(), patches)).expect("runs");
    let codes: Vec<_> =
        results.iter().map(|item| item.result.as_ref().map_err(|e| e.code).map(|e| e.versions.new)).collect();
    assert_eq!(
        codes,
        [Err(Code::DuplicateContentHash), Err(Code::NotFound), Err(Code::InvalidRequest), Ok(2), Ok(2)]
    );
    assert_eq!(acts.events(&one).len(), 2);
}

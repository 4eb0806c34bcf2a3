use signet_model::memory::{Draft, Place, forget::Force};
use signet_model::{AgentScope, Code};

use super::super::test_support::{Acts, code, draft, person};
use super::of;

#[test]
fn a_history_stays_inside_its_scope() {
    let mut acts = Acts::new();
    let place = Place { project: "p".to_owned(), ..Place::default() };
    let id = acts.remember(Draft { place, ..draft("x") }).id;
    acts.forget(&person(), &id, Force::No).expect("is forgotten");
    let events = |acts: &Acts| {
        let (scope, id) = (acts.scope.clone(), id.clone());
        acts.store.reader().read_blocking(move |tx| of(tx, &scope, &id, 10)).map(|events| events.len())
    };
    assert_eq!(events(&acts).expect("reads"), 2);
    acts.scope = AgentScope::granted("default".into(), Some(vec!["p".to_owned()]), None);
    assert_eq!(events(&acts).expect("reads"), 2);
    acts.scope = AgentScope::granted("default".into(), Some(vec!["q".to_owned()]), None);
    assert_eq!(code(events(&acts)), Code::ScopeRestricted);
    acts.scope = AgentScope::granted("mira".into(), None, None);
    assert_eq!(events(&acts).expect("reads"), 0);
}

use signet_model::memory::{Change, Draft, Place, forget::Force};
use signet_model::{AgentId, Code, ReadPolicy};

use super::super::test_support::{Acts, code, draft, person};
use super::*;
use crate::control::agents;

fn ask(acts: &Acts, id: &MemoryId, bin: Bin) -> Result<Option<String>> {
    let (scope, id, now) = (acts.scope.clone(), id.clone(), acts.store.ids().now());
    acts.store
        .reader()
        .read_blocking(move |tx| get(tx, &scope, &id, (bin, now)))
        .map(|found| found.map(|listed| listed.row.content))
}

fn seen(acts: &Acts, id: &MemoryId) -> Option<String> {
    ask(acts, id, Bin::Closed).expect("reads")
}

fn remember_as(acts: &mut Acts, agent: &str, visibility: Visibility, text: &str) -> MemoryId {
    acts.scope = AgentScope::granted(AgentId::from(agent), None, None);
    acts.remember(Draft { place: Place { visibility, ..Place::default() }, ..draft(text) }).id
}

#[test]
fn a_row_is_seen_with_its_verdict_until_it_is_forgotten() {
    let acts = Acts::new();
    let id = acts.say("plain words");
    let (scope, asked, now) = (acts.scope.clone(), id.clone(), acts.store.ids().now());
    let found = acts.read(move |tx| get(tx, &scope, &asked, (Bin::Closed, now))).expect("is there");
    assert_eq!(found.safety.map(|safety| safety.status), Some("clean".to_owned()));
    acts.forget(&person(), &id, Force::No).expect("is forgotten");
    assert_eq!(seen(&acts, &id), None);
    assert_eq!(ask(&acts, &id, Bin::Open).expect("reads").as_deref(), Some("plain words"));
    acts.store.clock.advance_days(31);
    assert_eq!(ask(&acts, &id, Bin::Open).expect("reads"), None);
}

#[test]
fn an_archived_row_is_seen_by_its_id_by_its_own_agent() {
    let acts = Acts::new();
    let id = acts.say("put away");
    let change = Change { visibility: Some(Visibility::Archived), ..Change::default() };
    acts.edit(&person(), &id, change).expect("is archived");
    assert_eq!(seen(&acts, &id).as_deref(), Some("put away"));
}

#[test]
fn another_project_is_403_and_another_agent_is_nothing() {
    let mut acts = Acts::new();
    let place = Place { project: "p".to_owned(), ..Place::default() };
    let id = acts.remember(Draft { place, ..draft("x") }).id;
    acts.scope = AgentScope::granted("default".into(), Some(vec!["q".to_owned()]), None);
    assert_eq!(code(ask(&acts, &id, Bin::Closed)), Code::ScopeRestricted);
    acts.scope = AgentScope::granted("mira".into(), None, None);
    assert_eq!(seen(&acts, &id), None);
}

#[test]
fn the_readers_policy_opens_global_rows_of_others_at_once() {
    let mut acts = Acts::new();
    acts.write(|tx| agents::create(tx, &"writer".into(), &ReadPolicy::Shared)).expect("is known");
    let global = remember_as(&mut acts, "writer", Visibility::Global, "for all");
    let private = remember_as(&mut acts, "writer", Visibility::Private, "for me");
    let own = remember_as(&mut acts, "reader", Visibility::Private, "mine");
    assert_eq!((seen(&acts, &own).as_deref(), seen(&acts, &global)), (Some("mine"), None));
    acts.write(|tx| agents::set_policy(tx, &"reader".into(), &ReadPolicy::Shared)).expect("changes");
    assert_eq!((seen(&acts, &global).as_deref(), seen(&acts, &private)), (Some("for all"), None));
    acts.write(|tx| agents::set_policy(tx, &"writer".into(), &ReadPolicy::Isolated)).expect("changes");
    assert_eq!(seen(&acts, &global), None);
}

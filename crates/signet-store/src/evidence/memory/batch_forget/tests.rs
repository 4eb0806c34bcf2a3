use signet_model::memory::forget::{Force, Selector};
use signet_model::memory::{Draft, Place, Visibility, Warrant};
use signet_model::recall::Filters;
use signet_model::{AgentScope, Code, MemoryId};

use super::super::test_support::{Acts, draft, person};
use super::*;

fn preview(acts: &Acts, selector: Selector) -> Selection {
    let scope = acts.scope.clone();
    acts.read(move |tx| select(tx, &scope, &selector))
}

fn ids(selection: &Selection) -> Vec<MemoryId> {
    selection.candidates.iter().map(|candidate| candidate.id.clone()).collect()
}

#[test]
fn filters_select_the_newest_live_rows_of_the_agent() {
    let mut acts = Acts::new();
    let mut said = Vec::new();
    for n in 0..4 {
        acts.store.clock.advance(1000);
        said.push(acts.remember(Draft { kind: Some("note".to_owned()), ..draft(&format!("note {n}")) }).id);
    }
    acts.say("another type");
    acts.forget(&person(), &said[3], Force::No).expect("is forgotten");
    let filters = Filters { kind: Some("note".to_owned()), ..Filters::default() };
    let asked = Selector { filters: filters.clone(), limit: 2, ..Selector::default() };
    assert_eq!(ids(&preview(&acts, asked.clone())), [said[2].clone(), said[1].clone()]);
    acts.scope = AgentScope::granted("mira".into(), None, None);
    assert_eq!(preview(&acts, asked), Selection::default());
}

#[test]
fn ids_select_themselves_and_what_is_missing_is_said() {
    let mut acts = Acts::new();
    let at = |project: &str| Place {
        project: project.to_owned(),
        visibility: Visibility::Global,
        ..Place::default()
    };
    let mine =
        acts.remember(Draft { place: at("p"), pinned: Some(true), ..draft("mine ".repeat(60).trim()) }).id;
    let other = acts.remember(Draft { place: at("q"), ..draft("other") }).id;
    acts.scope = AgentScope::granted("default".into(), Some(vec!["p".to_owned()]), None);
    let nobody = MemoryId::from("nobody");
    let asked = vec![other.clone(), mine.clone(), nobody.clone(), mine.clone()];
    let found = preview(&acts, Selector { ids: asked, ..Selector::default() });
    assert_eq!(ids(&found), [mine]);
    assert!(found.missing.contains(&nobody) && found.missing.contains(&other) && found.missing.len() == 2);
    let shown = &found.candidates[0];
    assert_eq!((shown.pinned, shown.version, shown.excerpt.chars().count()), (true, 1, 161));
}

#[test]
fn each_asked_id_has_a_result() {
    let acts = Acts::new();
    let (plain, pinned) = (acts.say("a"), acts.remember(Draft { pinned: Some(true), ..draft("b") }).id);
    let asked = vec![plain, pinned, MemoryId::from("nobody")];
    let scope = acts.scope.clone();
    let results = acts
        .write(move |tx| execute(tx, &scope, &person(), (&asked, Force::No), &Warrant::because("clean up")))
        .expect("runs");
    let codes: Vec<_> =
        results.iter().map(|item| item.result.as_ref().map(|_| ()).map_err(|e| e.code)).collect();
    assert_eq!(codes, [Ok(()), Err(Code::PinnedRequiresForce), Err(Code::NotFound)]);
}

use signet_model::memory::{Draft, Place, forget::Force};

use super::super::test_support::{Acts, draft, person};
use super::*;

fn numbers(acts: &Acts) -> Stats {
    let scope = acts.scope.clone();
    acts.read(move |tx| stats(tx, &scope))
}

#[test]
fn counters_and_counted_numbers_agree() {
    let mut acts = Acts::new();
    let at = |project: &str, importance: f64, text: &str| Draft {
        place: Place { project: project.to_owned(), ..Place::default() },
        importance: Some(importance),
        ..draft(text)
    };
    let first = acts.remember(at("p", 0.9, "one")).id;
    acts.embed(&first);
    let gone = acts.remember(at("p", 1.0, "two")).id;
    let old = acts.remember(at("p", 1.0, "three")).id;
    acts.remember(at("p", 0.5, "four"));
    acts.forget(&person(), &gone, Force::No).expect("is forgotten");
    acts.supersede(&person(), &old, &first).expect("is replaced");
    let expected = Stats { total: 2, with_embeddings: 1, critical: 1 };
    assert_eq!(numbers(&acts), expected);
    acts.scope = AgentScope::granted("default".into(), Some(vec!["p".to_owned()]), None);
    assert_eq!(numbers(&acts), expected);
    acts.scope = AgentScope::granted("default".into(), Some(vec!["q".to_owned()]), None);
    assert_eq!(numbers(&acts), Stats::default());
    acts.scope = AgentScope::granted("mira".into(), None, None);
    assert_eq!(numbers(&acts), Stats::default());
}

#[test]
fn the_numbers_come_from_indexes() {
    let acts = Acts::new();
    for sql in [HIDDEN, VECTORS, CRITICAL] {
        crate::testing::plan::assert_no_scan(&acts.store.raw(), sql);
    }
    let plan = acts.store.plan(CRITICAL);
    assert!(plan[0].contains("ix_memories_critical"), "{plan:?}");
    let plan = acts.store.plan(HIDDEN);
    assert!(plan[0].contains("ix_memories_hidden"), "{plan:?}");
}

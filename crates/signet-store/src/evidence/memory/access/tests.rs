use signet_model::MemoryId;

use super::super::test_support::Acts;
use super::record_access;

#[test]
fn accesses_are_counted_without_touching_index_or_version() {
    let acts = Acts::new();
    let (a, b) = (acts.say("one"), acts.say("two"));
    let index = "SELECT count(*) + COALESCE(sum(length(block)), 0) FROM memories_fts_data";
    let before = acts.store.number(index);
    let agent = acts.scope.agent().clone();
    let recalled =
        vec![(agent.clone(), a.clone()), (agent.clone(), a.clone()), (agent, MemoryId::from("nobody"))];
    for _ in 0..50 {
        let recalled = recalled.clone();
        acts.write(move |tx| record_access(tx, &recalled)).expect("counts");
    }
    let row = acts.row(&a).expect("stays");
    assert_eq!((row.access_count, row.version), (100, 1));
    assert!(row.last_accessed.is_some());
    assert_eq!(acts.row(&b).map(|row| row.access_count), Some(0));
    assert_eq!(acts.store.number(index), before);
}

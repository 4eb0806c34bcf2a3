use signet_model::memory::forget::Force;

use super::super::test_support::{Acts, person};
use super::*;

fn sweep(acts: &Acts) -> usize {
    acts.write(|tx| sweep_step(tx, &"default".into())).expect("runs")
}

#[test]
fn rows_go_when_their_window_is_over_and_not_before() {
    let acts = Acts::new();
    let (gone, alive) = (acts.say("gone"), acts.say("alive"));
    acts.forget(&person(), &gone, Force::No).expect("is forgotten");
    acts.store.clock.advance_days(30);
    assert_eq!(sweep(&acts), 0, "to the last millisecond it can be taken back");
    acts.store.clock.advance(1);
    assert_eq!((sweep(&acts), sweep(&acts)), (1, 0));
    assert_eq!(acts.row(&gone), None);
    assert!(acts.row(&alive).is_some());
    let copies =
        "SELECT count(*) FROM memories_cold WHERE archived_reason = 'retention' AND content = 'gone'";
    assert_eq!(acts.store.number(copies), 1);
    let receipts = "SELECT count(*) FROM purge_receipts WHERE mode = 'retention' AND actor = 'retention'";
    assert_eq!(acts.store.number(receipts), 1);
    assert_eq!(acts.events(&gone).last().map(|event| event.event.clone()), Some("purged".to_owned()));
    assert_eq!(acts.store.number("SELECT count(*) FROM forget_tombstones"), 1, "the text stays barred");
}

#[test]
fn many_rows_go_step_by_step_found_by_their_index() {
    let acts = Acts::new();
    for n in 0..=STEP {
        let id = acts.say(&format!("text {n}"));
        acts.forget(&person(), &id, Force::No).expect("is forgotten");
    }
    acts.store.clock.advance_days(31);
    assert_eq!([sweep(&acts), sweep(&acts), sweep(&acts)], [STEP, 1, 0]);
    let plan = acts.store.plan(&format!("SELECT m.rid FROM memories AS m WHERE {DUE}"));
    assert!(plan[0].contains("ix_memories_deleted"), "{plan:?}");
}

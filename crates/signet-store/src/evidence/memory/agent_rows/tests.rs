use signet_model::AgentScope;
use signet_model::memory::{Draft, Place, Visibility};

use super::super::test_support::{Acts, draft, keep_answer, person};
use super::*;

fn acts_of_mira(rows: usize) -> Acts {
    let mut acts = Acts::new();
    acts.say("not mira's");
    acts.scope = AgentScope::granted("mira".into(), None, None);
    for n in 0..rows {
        acts.say(&format!("text {n}"));
    }
    let private = Place { visibility: Visibility::Private, ..Place::default() };
    acts.remember(Draft { place: private, pinned: Some(true), ..draft("text 0") });
    acts
}

#[test]
fn archiving_hides_every_row_in_steps() {
    let acts = acts_of_mira(STEP);
    let step = || acts.write(|tx| archive_step(tx, &"mira".into(), &person(), "left")).expect("runs");
    assert_eq!([step(), step(), step()], [STEP, 1, 0]);
    let archived = "SELECT count(*) FROM memories WHERE visibility = 'archived'";
    assert_eq!(acts.store.number(archived), i64::try_from(STEP).unwrap() + 1);
    assert_eq!(acts.store.number("SELECT count(*) FROM memories WHERE visibility <> 'archived'"), 1);
    let agent = acts.read(|tx| agents::find(tx, &"mira".into())).expect("is known");
    assert!(agent.archived);
}

#[test]
fn a_purged_agent_leaves_only_receipt_and_history() {
    let acts = acts_of_mira(3);
    keep_answer(&acts, "mira", r#"{"content":"text 0"}"#);
    let (receipt, removed) = acts
        .write(|tx| {
            let (agent, mut removed) = ("mira".into(), Removed::new());
            while purge_step(tx, &agent, &person(), "left", &mut removed)? > 0 {}
            finish_purge(tx, &agent, &person(), "left", removed)
        })
        .expect("runs");
    assert!(removed.contains(&("memories", 4)), "{removed:?}");
    assert!(removed.contains(&("idempotency_keys", 1)), "{removed:?}");
    for table in ["idempotency_keys", "memories", "memory_content_safety", "memories_cold"] {
        let sql = format!("SELECT count(*) FROM {table} WHERE agent_id = 'mira'");
        assert_eq!(acts.store.number(&sql), 0, "{table}");
    }
    assert_eq!(acts.store.number("SELECT count(*) FROM memories"), 1, "other agents keep theirs");
    let found = acts.read(move |tx| receipt::find(tx, &"mira".into(), &receipt)).expect("is stored");
    assert_eq!((found.mode.as_str(), found.body["agent"].as_str()), ("agent", Some("mira")));
}

#[test]
fn row_ids_of_a_purged_agent_are_never_used_again() {
    let acts = acts_of_mira(1);
    let before = acts.store.number("SELECT max(rid) FROM memories WHERE agent_id = 'mira'");
    acts.write(|tx| {
        let mut removed = Removed::new();
        while purge_step(tx, &"mira".into(), &person(), "left", &mut removed)? > 0 {}
        finish_purge(tx, &"mira".into(), &person(), "left", removed)
    })
    .expect("runs");
    acts.say("back again");
    assert!(acts.store.number("SELECT max(rid) FROM memories WHERE agent_id = 'mira'") > before);
}

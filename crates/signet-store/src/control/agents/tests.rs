use super::*;
use crate::testing::TestStore;

fn write<T: Send + 'static>(
    store: &TestStore,
    work: impl FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    store.writer().write_blocking(work)
}

fn found(store: &TestStore, id: &'static str) -> Option<Agent> {
    store.reader().read_blocking(move |tx| find(tx, &id.into())).expect("reads")
}

#[test]
fn a_first_write_registers_an_agent_as_isolated_with_its_own_range() {
    let store = TestStore::new();
    assert_eq!(found(&store, "mira"), None);
    let first = write(&store, |tx| take_rids(tx, &"mira".into(), 3)).expect("writes");
    let next = write(&store, |tx| take_rids(tx, &"mira".into(), 1)).expect("writes");
    assert_eq!((first >> 40, first & 0xff, next - first), (2, 1, 3));
    let agent = found(&store, "mira").expect("is known");
    assert_eq!(agent, Agent { id: "mira".into(), no: 2, policy: ReadPolicy::Isolated, archived: false });
}

#[test]
fn a_policy_change_holds_for_the_next_read() {
    let store = TestStore::new();
    write(&store, |tx| create(tx, &"mira".into(), &ReadPolicy::Shared)).expect("writes");
    let group = ReadPolicy::Group("blue".to_owned());
    let wanted = group.clone();
    assert!(write(&store, move |tx| set_policy(tx, &"mira".into(), &wanted)).expect("writes"));
    assert_eq!(found(&store, "mira").map(|agent| agent.policy), Some(group));
    assert!(!write(&store, |tx| set_policy(tx, &"nobody".into(), &ReadPolicy::Shared)).expect("writes"));
}

#[test]
fn a_name_is_taken_until_its_agent_is_archived() {
    let store = TestStore::new();
    let make = || write(&store, |tx| create(tx, &"mira".into(), &ReadPolicy::Shared));
    make().expect("writes");
    assert_eq!(make().expect_err("is taken").code(), Code::AlreadyExists);
    write(&store, |tx| mark_archived(tx, &"mira".into())).expect("writes");
    let listed = store.reader().read_blocking(list).expect("reads");
    assert_eq!(listed.iter().map(|agent| agent.id.as_str()).collect::<Vec<_>>(), ["default"]);
    make().expect("the name is free again");
    assert_eq!(found(&store, "mira").map(|agent| (agent.no, agent.archived)), Some((2, false)));
}

//! Who sees whose rows.

use signet_model::{AgentId, AgentScope, ReadPolicy};

use super::owners;
use crate::testing::TestStore;

/// Agents: `iso` isolated in group g, `sh` shared in g, `g1` and `g2` group g, `other` group h.
fn store() -> TestStore {
    let store = TestStore::new();
    store
        .raw()
        .execute_batch(
            "INSERT INTO agents (id, no, name, read_policy, policy_group, created_at, updated_at) VALUES
               ('iso', 2, 'iso', 'isolated', 'g', '2026', '2026'), ('sh', 3, 'sh', 'shared', 'g', '2026', '2026'),
               ('g1', 4, 'g1', 'group', 'g', '2026', '2026'), ('g2', 5, 'g2', 'group', 'g', '2026', '2026'),
               ('other', 6, 'other', 'group', 'h', '2026', '2026'), ('empty', 7, 'e', 'group', '', '2026', '2026')",
        )
        .unwrap();
    store
}

fn check(store: &TestStore, reader: &str, narrowing: Option<&ReadPolicy>, expected: &[&str]) {
    let scope = AgentScope::granted(AgentId::from(reader), None, None).narrowed(narrowing.cloned());
    let found = store.reader().read_blocking(move |tx| owners(tx, &scope)).unwrap();
    let names: Vec<&str> = found.iter().map(|owner| owner.agent.as_str()).collect();
    assert_eq!(names, expected, "{reader} narrowed to {narrowing:?}");
    assert!(found.iter().all(|owner| owner.own == (owner.agent.as_str() == reader)));
}

#[test]
fn a_policy_names_the_owners_and_a_request_only_narrows_it() {
    let store = store();
    let group = |name: &str| Some(ReadPolicy::Group(name.to_owned()));
    check(&store, "iso", None, &["iso"]);
    check(&store, "iso", Some(ReadPolicy::Shared).as_ref(), &["iso"]);
    check(&store, "sh", None, &["sh", "default", "g1", "g2", "other", "empty"]);
    check(&store, "sh", Some(ReadPolicy::Isolated).as_ref(), &["sh"]);
    check(&store, "sh", group("g").as_ref(), &["sh", "g1", "g2"]);
    check(&store, "sh", group("").as_ref(), &["sh"]);
    check(&store, "g1", None, &["g1", "iso", "sh", "g2"]);
    check(&store, "g1", group("h").as_ref(), &["g1"]);
    check(&store, "g1", Some(ReadPolicy::Shared).as_ref(), &["g1", "sh", "g2"]);
    check(&store, "empty", None, &["empty"]);
    check(&store, "unknown", None, &[]);
}

#[test]
fn an_owners_rows_lie_in_its_own_range() {
    let store = store();
    let scope = AgentScope::granted(AgentId::from("sh"), None, None);
    let found = store.reader().read_blocking(move |tx| owners(tx, &scope)).unwrap();
    let mut ranges: Vec<(i64, i64)> = found.iter().map(super::Owner::rid_range).collect();
    ranges.sort_unstable();
    assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
}

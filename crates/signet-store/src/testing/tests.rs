use super::*;

const TOUCH: &str = "INSERT INTO daemon_meta (key, value) VALUES ('touched', '1')";

#[test]
fn equal_steps_give_equal_dumps_and_a_restart_keeps_them() {
    let (mut one, two) = (TestStore::new(), TestStore::new());
    assert_eq!(one.dump(), two.dump());
    one.writer().write_blocking(|tx| tx.execute(TOUCH, []).map(drop)).expect("write");
    assert_ne!(one.dump(), two.dump());
    let before = one.dump();
    one.reopen();
    assert_eq!(one.dump(), before);
}

#[test]
fn ids_repeat_and_the_clock_moves_on_demand() {
    let (one, two) = (TestStore::new(), TestStore::new());
    assert_eq!(one.ids().mint(), two.ids().mint());
    let before = one.ids().now();
    one.clock.advance_days(1);
    assert_eq!(one.ids().now(), before.plus_millis(86_400_000));
}

#[test]
fn plans_tell_a_scan_from_a_search() {
    let store = TestStore::new();
    plan::assert_no_scan(&store.raw(), "SELECT id FROM memories WHERE agent_id = ?1 AND id = ?2");
    assert_eq!(store.plan("SELECT * FROM memories"), ["SCAN memories"]);
}

#[test]
fn a_small_table_may_be_walked_under_any_name() {
    let store = TestStore::new();
    plan::assert_no_scan(&store.raw(), "SELECT name FROM agents");
    plan::assert_no_scan(&store.raw(), "SELECT a.name FROM agents a");
}

#[test]
#[should_panic(expected = "SCAN m")]
fn an_alias_does_not_hide_a_scan() {
    plan::assert_no_scan(&TestStore::new().raw(), "SELECT m.id FROM memories m");
}

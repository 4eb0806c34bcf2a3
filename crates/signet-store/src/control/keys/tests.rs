use super::*;
use crate::testing::TestStore;

fn row(id: &str, prefix: &str) -> KeyRow {
    KeyRow {
        id: id.to_owned(),
        prefix: prefix.to_owned(),
        name: "ci".to_owned(),
        key_hash: "00".to_owned(),
        role: Role::Agent,
        scope: CredentialScope { project: Some("/t/app".to_owned()), ..CredentialScope::default() },
        permissions: Some(vec![Permission::Recall, Permission::Documents]),
        connector: None,
        harness: Some("codex".to_owned()),
        agent: Some("alice".to_owned()),
        allowed_projects: Some(vec!["/t/app".to_owned()]),
        created_at: Timestamp::from_millis(1_000),
        last_used_at: None,
        revoked_at: None,
        expires_at: Some(Timestamp::from_millis(9_000)),
    }
}

fn stored(keys: Vec<KeyRow>) -> TestStore {
    let store = TestStore::new();
    let write = move |tx: &WriteTx<'_>| keys.iter().try_for_each(|key| insert_key(tx, key));
    store.writer().write_blocking(write).expect("written");
    store
}

#[test]
fn a_key_reads_back_whole() {
    let bare =
        KeyRow { permissions: None, agent: None, allowed_projects: None, ..row("key_a", "aaaaaaaaaaaa") };
    let store = stored(vec![bare.clone(), row("key_b", "bbbbbbbbbbbb")]);
    let listed = store.reader().read_blocking(list_keys).expect("read");
    assert_eq!(listed, [row("key_b", "bbbbbbbbbbbb"), bare]);
}

#[test]
fn a_use_is_noted() {
    let store = stored(vec![row("key_a", "aaaaaaaaaaaa")]);
    store.writer().write_blocking(|tx| touch_key(tx, "key_a")).expect("written");
    let listed = store.reader().read_blocking(list_keys).expect("read");
    assert_eq!(listed[0].last_used_at, Some(store.ids().now()));
}

#[test]
fn a_key_is_revoked_by_id_or_by_a_prefix_that_names_one() {
    let store = stored(vec![row("key_a", "aa0000000000"), row("key_b", "aa1111111111")]);
    let revoke = |what: &'static str| store.writer().write_blocking(move |tx| revoke_key(tx, what, |_| true));
    assert_eq!(revoke("aa").expect_err("two begin so").code(), Code::Ambiguous);
    assert_eq!(revoke("cc").expect("no key"), None);
    let first = revoke("aa0").expect("one begins so").expect("found");
    assert_eq!((first.id.as_str(), first.revoked_at), ("key_a", Some(store.ids().now())));
    store.clock.advance(1_000);
    assert_eq!(revoke("key_a").expect("again").expect("found").revoked_at, first.revoked_at);
}

#[test]
fn a_row_with_an_unknown_permission_is_corrupt() {
    let store = stored(vec![row("key_a", "aaaaaaaaaaaa")]);
    store.raw().execute("UPDATE api_keys SET permissions_json = '[\"fly\"]'", []).expect("broken");
    let failure = store.reader().read_blocking(list_keys).expect_err("does not read");
    assert_eq!(failure.code(), Code::Corrupt);
}

use super::*;
use crate::testing::TestStore;

fn row(jti: &str, created: i64) -> TokenRow {
    TokenRow {
        jti: jti.to_owned(),
        sub: "token:agent".to_owned(),
        role: Role::Agent,
        scope: CredentialScope { agent: Some("alice".to_owned()), ..CredentialScope::default() },
        created_at: Timestamp::from_millis(created),
        expires_at: Timestamp::from_millis(created + 1000),
        revoked_at: None,
        last_used_at: None,
        created_by: "local:me".to_owned(),
    }
}

#[test]
fn a_token_is_listed_as_it_was_recorded_newest_first() {
    let store = TestStore::new();
    let (old, new) = (row("a", 1_000), row("b", 2_000));
    let (first, second) = (old.clone(), new.clone());
    store
        .writer()
        .write_blocking(move |tx| {
            record_token(tx, &first)?;
            record_token(tx, &second)
        })
        .expect("written");
    let listed = store.reader().read_blocking(|tx| list_tokens(tx, 10, |_| true)).expect("read");
    assert_eq!(listed, [new, old]);
}

#[test]
fn a_second_record_only_notes_the_use() {
    let store = TestStore::new();
    let first = row("a", 1_000);
    let used = TokenRow {
        sub: "other".to_owned(),
        last_used_at: Some(Timestamp::from_millis(1_500)),
        ..first.clone()
    };
    let expect = TokenRow { last_used_at: used.last_used_at, ..first.clone() };
    store
        .writer()
        .write_blocking(move |tx| {
            record_token(tx, &first)?;
            record_token(tx, &used)
        })
        .expect("written");
    assert_eq!(store.reader().read_blocking(|tx| list_tokens(tx, 10, |_| true)).expect("read"), [expect]);
}

#[test]
fn a_revoke_counts_once_and_unknown_ids_are_none() {
    let store = TestStore::new();
    let now = store.ids().now();
    let token = TokenRow { expires_at: now.plus_millis(1), ..row("a", now.millis()) };
    let verdicts = store
        .writer()
        .write_blocking(move |tx| {
            record_token(tx, &token)?;
            Ok([revoke_token(tx, "a")?, revoke_token(tx, "a")?, revoke_token(tx, "b")?])
        })
        .expect("written");
    assert_eq!(verdicts, [Some(vec!["a".to_owned()]), Some(vec![]), None]);
    let held = |at| store.reader().read_blocking(move |tx| list_revoked(tx, at)).expect("read");
    assert_eq!(held(now), ["a"]);
    assert_eq!(held(now.plus_millis(1)), Vec::<String>::new());
}

#[test]
fn what_was_renewed_from_a_token_ends_with_it() {
    let store = TestStore::new();
    let renewed = |jti: &str, from: &str| TokenRow { created_by: renewed_from(from), ..row(jti, 1_000) };
    let rows = [row("a", 1_000), renewed("b", "a"), renewed("c", "b"), row("d", 1_000), renewed("e", "d")];
    let revoked = store
        .writer()
        .write_blocking(move |tx| {
            rows.iter().try_for_each(|row| record_token(tx, row))?;
            revoke_token(tx, "a")
        })
        .expect("written");
    assert_eq!(revoked, Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
    assert_eq!(store.number("SELECT count(*) FROM auth_tokens WHERE revoked_at IS NULL"), 2);
}

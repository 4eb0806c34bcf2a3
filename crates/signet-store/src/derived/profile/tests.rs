//! Spaces are chosen once and never mixed.

use super::*;
use crate::derived::space::{Spaced, space};
use crate::testing::TestStore;

#[test]
fn the_first_space_is_taken_and_another_only_while_nothing_is_stored() {
    let store = TestStore::new();
    let activate = |dimensions| {
        store.writer().write_blocking(move |tx| activate_if_empty(tx, &space(dimensions))).unwrap()
    };
    let ask = |dimensions| store.reader().read_blocking(move |tx| standing(tx, &space(dimensions))).unwrap();
    assert_eq!(ask(3), Standing::Empty);
    let Standing::Same(first) = activate(3) else { panic!("not taken") };
    assert_eq!((activate(3), ask(3)), (Standing::Same(first.clone()), Standing::Same(first)));
    let Standing::Same(second) = activate(768) else { panic!("an empty store takes another space") };
    assert_eq!(second.dimensions, 768);
}

#[test]
fn a_store_with_vectors_keeps_its_space() {
    let mut spaced = Spaced::new(3);
    spaced.fill(2);
    let before = spaced.store.dump();
    let other = spaced.store.writer().write_blocking(|tx| activate_if_empty(tx, &space(4))).unwrap();
    assert_eq!(other, Standing::Other(spaced.active.clone()));
    assert_eq!(spaced.store.dump(), before, "no vector is lost and nothing is queued");
}

//! What the types refuse: waiting inside a write, and writing through a read (INV-1, INV-6).

#[test]
fn the_types_refuse_to_wait_in_a_write_and_to_write_in_a_read() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

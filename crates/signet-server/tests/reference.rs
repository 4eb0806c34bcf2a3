//! The pages under `docs/` that are made from code say what the code does.

use std::path::Path;

fn committed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[track_caller]
fn same(name: &str, made: &str) {
    let hint = "run `cargo run -p signet-server --example write_reference` and look at the difference";
    assert!(committed(name) == made, "docs/{name} is not what the code makes; {hint}");
}

#[test]
fn the_committed_description_is_the_one_the_table_makes() {
    let document = signet_server::openapi::document(&signet_server::http::table());
    same("openapi.json", &(serde_json::to_string_pretty(&document).expect("json") + "\n"));
}

#[test]
fn the_permission_table_is_the_enforced_one() {
    same("auth.md", &signet_server::openapi::tables::permissions(&signet_server::http::table()));
}

#[test]
fn the_error_table_is_the_catalogue() {
    same("errors.md", &signet_server::openapi::tables::codes());
}

#[test]
fn every_reference_inside_the_description_leads_somewhere() {
    let document = signet_server::openapi::document(&signet_server::http::table());
    let text = document.to_string();
    let mut seen = 0;
    for part in text.split("\"$ref\":\"#").skip(1) {
        let pointer = part.split('"').next().expect("a pointer");
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        seen += 1;
    }
    assert!(seen > 0);
}

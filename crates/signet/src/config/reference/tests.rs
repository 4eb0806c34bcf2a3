use std::path::{Path, PathBuf};

use super::*;
use crate::config::load;
use crate::env::Env;

/// Compares a generated file with the one in the repository; a stale one is written anew and fails once.
fn compare(relative: &str, text: &str) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative);
    if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
        std::fs::write(&path, text).unwrap();
        panic!("{relative} was stale and is written anew; look at it and run again");
    }
}

#[test]
fn generated_files_are_those_of_the_repository() {
    compare("docs/config.md", &markdown());
    compare("docs/agent.example.yaml", &example());
    compare("docs/agent.schema.json", &format!("{:#}\n", schema()));
}

#[test]
fn the_example_is_the_default_configuration() {
    let empty = load::from_text(b"", &Env::default());
    let full = load::from_text(example().as_bytes(), &Env::default());
    assert_eq!(full.issues, Vec::new());
    assert_eq!(full.settings, empty.settings);
    assert!(empty.settings.is_some());
    assert!(load::tree(&full.values) == load::tree(&empty.values), "values differ");
    let keys = section::keys().filter(|key| !key.is_pattern() && key.has_effect());
    let missing: Vec<_> = keys.filter(|key| full.values[key.path].origin != load::Origin::File).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

//! The key table, one file a section.

pub(crate) mod auth;
pub(crate) mod dreaming;
pub(crate) mod embedding;
pub(crate) mod general;
pub(crate) mod hooks;
pub(crate) mod inference;
pub(crate) mod pipeline;
pub(crate) mod search;

use super::check::Findings;
use super::key::Key;

/// Every key, in the order of the reference.
pub(crate) fn keys() -> impl Iterator<Item = &'static Key> {
    [
        general::KEYS,
        auth::KEYS,
        hooks::KEYS,
        inference::KEYS,
        embedding::KEYS,
        search::KEYS,
        pipeline::KEYS,
        dreaming::KEYS,
    ]
    .into_iter()
    .flatten()
}

/// Rules over several keys, section by section.
pub(crate) fn validate(found: &mut Findings) {
    auth::validate(found);
    inference::validate(found);
    embedding::validate(found);
    pipeline::validate(found);
    dreaming::validate(found);
    if found.text("memory.database").as_deref() != Some("memory/memories.db") {
        found.refuse(
            "memory.database",
            "`memory.database` must be memory/memories.db; move the file there, or name another workspace with --workspace"
                .to_owned(),
        );
    }
}

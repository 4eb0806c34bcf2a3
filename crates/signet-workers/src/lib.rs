//! Background work: what the daemon does while nobody waits.
//!
//! Owns: the embedding tracker, the retention sweep and the renewal of search forms. What is made, is made
//! outside any transaction and then stored by short closures on the writer's upkeep lane.
//! Must never know: HTTP, the command line, who asked.

pub mod embedding;
pub mod retention;
pub mod search_forms;

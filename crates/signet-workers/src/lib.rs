//! Background work: what the daemon does while nobody waits.
//!
//! Owns: the embedding tracker and the retention sweep. Vectors are made outside any transaction, then stored by short closures
//! on the writer's upkeep lane.
//! Must never know: HTTP, the command line, who asked.

pub mod embedding;
pub mod retention;

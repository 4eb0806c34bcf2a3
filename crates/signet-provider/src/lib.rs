//! Everything that leaves the process for a model: native and remote embedders.

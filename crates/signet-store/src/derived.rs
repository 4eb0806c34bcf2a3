//! Derived state: indexes and vectors that a rebuild drops and makes again.

pub mod candidates;
pub mod cosine;
pub mod eligible;
pub mod embedded;
pub mod embedding;
pub mod fts;
pub mod nearest;
pub mod profile;
pub mod reconcile;
pub mod vec;
pub mod window;
pub mod work;

#[cfg(test)]
pub(crate) mod space;

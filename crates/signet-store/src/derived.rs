//! Derived state: indexes and vectors that a rebuild drops and makes again.

pub mod eligible;

//! The one recall: plan, channels, fuse, shape, rank, dampen, limit.
//!
//! Owns: which channels run, how their values become one score, the order of the results, explain.
//! Must never know: how to write (it holds a `Reader` only, INV-6), wire types, who is calling.
//!
//! Two numbers travel with each candidate. The *absolute value* decides cuts and is shown as the score;
//! it depends on the row, the query and the corpus only. The *order value* decides the order; it may look
//! at the other candidates of the same question.

mod channels;
mod dampen;
mod explain;
mod fuse;
mod gather;
mod item;
mod plan;
mod prior;
pub mod rank;
mod recall;
pub mod settings;
mod shape;
mod similar;

pub use rank::weights::Weights;
pub use recall::Recall;
pub use settings::Settings;
pub use similar::{Similar, SimilarRequest};

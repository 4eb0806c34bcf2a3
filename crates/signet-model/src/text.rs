//! The forms of a text: as stored, as compared, as hashed, as searched, as split.

pub mod chunk;
pub mod infer;
pub mod normal;
pub mod prefix;
pub mod repair;
pub mod search;

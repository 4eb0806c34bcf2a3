//! The forms of a text: as stored, as compared, as hashed, as searched.

pub mod normal;
pub mod search;

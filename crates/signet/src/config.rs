//! `agent.yaml`: its keys, their checks, and the settings made of it.
//!
//! Owns: the key table, precedence (flag, environment, file, default), secrets named in values, the
//! generated reference. Must not know: what a setting does.

pub(crate) mod check;
pub(crate) mod idle;
pub(crate) mod issue;
pub(crate) mod key;
pub(crate) mod legacy;
pub(crate) mod load;
pub(crate) mod reference;
pub(crate) mod secret;
pub(crate) mod section;
pub(crate) mod settings;
pub(crate) mod spelling;
pub(crate) mod value;
pub(crate) mod yaml;

pub(crate) use load::{Loaded, load};
pub(crate) use settings::Settings;

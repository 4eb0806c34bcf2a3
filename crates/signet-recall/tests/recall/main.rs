//! The one recall over a real store.

mod channels;
mod degraded;
mod explain;
mod languages;
mod scope;
mod score;
mod text;
mod world;

//! Agents: who owns memories, and who reads whose.

mod create;
mod get;
mod list;
mod patch;
mod policy;
mod remove;
mod wire;

use crate::route::Route;

/// Routes of this resource.
pub const ROUTES: &[Route] = &[list::ROUTE, create::ROUTE, get::ROUTE, patch::ROUTE, remove::ROUTE];

#[cfg(test)]
mod tests;

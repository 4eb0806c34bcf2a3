//! Vectors and their upkeep.

mod gaps;
mod health;
mod list;
mod status;

use crate::route::Route;

/// Routes of this resource.
pub const ROUTES: &[Route] = &[list::ROUTE, status::ROUTE, health::ROUTE, gaps::ROUTE];

#[cfg(test)]
mod tests;

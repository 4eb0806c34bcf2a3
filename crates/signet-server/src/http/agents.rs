//! Agents and their read policies.

use crate::route::Route;

/// Routes of this resource.
pub const ROUTES: &[Route] = &[];

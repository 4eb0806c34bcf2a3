//! Vectors and their upkeep.

use crate::route::Route;

/// Routes of this resource.
pub const ROUTES: &[Route] = &[];

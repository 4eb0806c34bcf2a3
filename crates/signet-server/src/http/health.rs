//! Health, readiness, status, mode.

use crate::route::Route;

/// Routes of this resource.
pub const ROUTES: &[Route] = &[];

//! Typed client of the HTTP API.

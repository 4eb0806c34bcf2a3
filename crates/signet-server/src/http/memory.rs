//! Memories: remember, change, forget, read.
//!
//! Owns: fields, wire types and status words of these routes.
//! Must not do: any rule about memories; those are in `signet_model::memory` and the store.

mod batch_forget;
mod edit;
mod fields;
mod forget;
pub(in crate::http) mod frozen;
mod get;
mod history;
mod list;
mod modify;
mod most_used;
mod provenance;
mod purge;
mod receipts;
mod recover;
mod remember;
mod remember_batch;
mod review_queue;
mod supersede;
mod wire;

pub(in crate::http) use purge::{RemovedWire, removed_wire};

use crate::route::Route;

/// Routes of this resource.
pub const ROUTES: &[Route] = &[
    remember::ROUTE,
    remember_batch::ROUTE,
    batch_forget::ROUTE,
    modify::ROUTE,
    review_queue::ROUTE,
    get::ROUTE,
    history::ROUTE,
    provenance::ROUTE,
    edit::ROUTE,
    forget::ROUTE,
    forget::TOMBSTONE,
    recover::ROUTE,
    purge::ROUTE,
    supersede::ROUTE,
    most_used::ROUTE,
    list::ROUTE,
    receipts::LIST,
    receipts::ONE,
];

#[cfg(test)]
mod tests;

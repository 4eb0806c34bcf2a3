//! Background upkeep: the embedding tracker.

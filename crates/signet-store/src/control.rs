//! Work state: agents, credentials, counters, metadata.

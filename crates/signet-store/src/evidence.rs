//! Evidence: what was said and decided. Never rewritten behind its owner's back.

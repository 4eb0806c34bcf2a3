//! Vectors: what is missing in `embeddings` is queued, what is orphaned is removed, the mirror is remade.

use crate::derived::{profile, reconcile, vec};
use crate::{Reader, Result, Writer};

const PORTION: usize = 500;

/// Returns how many memories were queued and how many orphans were removed.
pub(super) fn remake(reader: &Reader, writer: &Writer) -> Result<(u64, u64)> {
    let (mut queued, mut orphans) = (0, 0);
    let Some(active) = reader.read_blocking(profile::active)? else { return Ok((0, 0)) };
    let mut from = Some(0);
    while let Some(after) = from {
        let active = active.clone();
        let found = reader.read_blocking(move |tx| reconcile::inspect(tx, &active, after, PORTION))?;
        queued += found.missing.len() as u64;
        orphans += found.orphans.len() as u64;
        from = found.next;
        writer.write_blocking(move |tx| reconcile::repair(tx, &found))?;
    }
    writer.write_blocking(vec::mark_absent)?;
    while !writer.write_blocking(|tx| vec::rebuild_step(tx, PORTION))? {}
    Ok((queued, orphans))
}

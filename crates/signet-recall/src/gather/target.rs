//! What the snapshot knows of one id that the request asks about.

use signet_model::MemoryId;
use signet_model::recall::{Evidence, Reason};
use signet_store::derived::candidates;
use signet_store::derived::eligible::{Owner, why};
use signet_store::{ReadTx, Result};

use super::values::Values;
use super::{Ask, View, probe, stored};
use crate::explain::Unfound;
use crate::item::Item;

/// Why an id is no candidate, or which channels have a value for it.
pub(super) fn look_into(tx: &ReadTx<'_>, ask: Ask<'_>, views: &[View], id: &str) -> Result<Unfound> {
    let owners: Vec<Owner> = views.iter().map(|view| view.owner.clone()).collect();
    if let Some(reason) = why::why_not(tx, &owners, ask.scope, &ask.plan.filters, id)? {
        let stage = (reason != Reason::NotFound).then_some("scope");
        return Ok(Unfound { found_in: Vec::new(), stage, reason, detail: None });
    }
    for view in views {
        let Some(rid) = candidates::find_rid(tx, &view.owner, &MemoryId::from(id))? else { continue };
        let mut loaded =
            candidates::load(tx, &view.owner, ask.plan.filters.audience, &[rid], stored(probe(ask)))?;
        if let Some(row) = loaded.rows.pop() {
            let cosine = row.cosine;
            let item = Values::new(ask, view, probe(ask)).of(row);
            return Ok(unfound(&item, cosine));
        }
    }
    Ok(Unfound { found_in: Vec::new(), stage: None, reason: Reason::NotFound, detail: None })
}

fn unfound(item: &Item, cosine: Option<f64>) -> Unfound {
    let found_in = item.found_in();
    let Evidence { lexical, hint, semantic } = item.evidence;
    let detail = format!(
        "lexical {lexical:.4}, hint {hint:.4}, semantic {semantic:.4}, cosine {}",
        cosine.map_or_else(|| "none".to_owned(), |cosine| format!("{cosine:.4}"))
    );
    let (stage, reason) = match found_in.first() {
        Some(channel) => (Some(*channel), Reason::BelowChannelTopK),
        None if cosine.is_some_and(|cosine| cosine > 0.0) => (Some("semantic"), Reason::BelowNoiseFloor),
        None => (None, Reason::NoChannelMatch),
    };
    Unfound { found_in, stage, reason, detail: Some(detail) }
}

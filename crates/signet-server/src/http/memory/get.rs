//! GET /api/memory/{id}.

use signet_model::{Code, Detail, Error, Permission};
use signet_store::evidence::memory::get::{Bin, get as store};

use super::fields::id;
use super::wire::{StoredRow, with_twins};
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};
use crate::openapi::schema;
use crate::route::{Access, Route, Verb, route};

pub(super) const ROUTE: Route = Route {
    fields: &[Field::new(
        "includeDeleted",
        Kind::Bool,
        "Show a forgotten memory while it can be taken back.",
    )],
    ..route(
        Verb::Get,
        "/api/memory/{id}",
        Access::Needs(Permission::Recall),
        |cx| Box::pin(get(cx)),
        schema::<StoredRow>,
        "One memory; 404 alike for missing, forgotten and foreign ones.",
    )
};

async fn get(cx: Cx) -> Result<Reply, Error> {
    let bin = if cx.input.flag("includeDeleted") { Bin::Open } else { Bin::Closed };
    if bin == Bin::Open {
        need_recover(&cx)?;
    }
    let (scope, id, now) = (cx.scope.clone(), id(&cx), cx.state.clock.now());
    let found = cx.state.reader.read(move |tx| store(tx, &scope, &id, (bin, now))).await?;
    let row = StoredRow::from(found.ok_or_else(Error::not_found)?);
    let row = serde_json::to_value(row).map_err(Error::internal)?;
    Reply::ok(&with_twins(row))
}

/// Who may look into the bin.
pub(super) fn need_recover(cx: &Cx) -> Result<(), Error> {
    if cx.principal.allows(Permission::Recover) {
        return Ok(());
    }
    let sentence = format!("role '{}' lacks 'recover' permission", cx.principal.role.as_str());
    Err(Error::new(Code::PermissionDenied, sentence).with("permission", Detail::Text("recover".to_owned())))
}

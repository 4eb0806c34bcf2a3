//! GET /api/auth/tokens

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::Error;
use signet_store::control::tokens::{TokenRow, list_tokens as list};

use crate::auth::principal::Restriction;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};

pub(super) const FIELDS: &[Field] =
    &[Field::new("limit", Kind::Clamped { default: 50, min: 1, max: 1000 }, "Most tokens.")];

/// Tokens, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
    /// Most tokens of this answer.
    limit: i64,
}

/// A token without its text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Token {
    jti: String,
    sub: String,
    role: &'static str,
    /// Restrictions by axis.
    scope: serde_json::Value,
    created_at: String,
    expires_at: String,
    revoked_at: Option<String>,
    last_used_at: Option<String>,
    /// Subject of its maker; `offline` when it was signed while the daemon was stopped.
    created_by: String,
}

pub(super) async fn list_tokens(cx: Cx) -> Result<Reply, Error> {
    let limit = cx.input.int("limit").unwrap_or(50);
    let (own, most) = (cx.principal.restriction.clone(), usize::try_from(limit).unwrap_or_default());
    let rows =
        cx.state.reader.read(move |tx| list(tx, most, |scope| own.holds(&Restriction::of(scope)))).await?;
    let tokens = rows.into_iter().map(shown).collect::<Result<_, _>>()?;
    Reply::ok(&Tokens { tokens, limit })
}

fn shown(row: TokenRow) -> Result<Token, Error> {
    Ok(Token {
        scope: serde_json::to_value(&row.scope).map_err(Error::internal)?,
        jti: row.jti,
        sub: row.sub,
        role: row.role.as_str(),
        created_at: row.created_at.to_string(),
        expires_at: row.expires_at.to_string(),
        revoked_at: row.revoked_at.map(|at| at.to_string()),
        last_used_at: row.last_used_at.map(|at| at.to_string()),
        created_by: row.created_by,
    })
}

//! Issued tokens: never their text, only id, rights and life, so that one can be revoked.

use rusqlite::OptionalExtension;
use signet_model::{Role, Timestamp};

use super::credential::{CredentialScope, corrupt, json_of, role_from, scope_from};
use crate::{ReadTx, Result, WriteTx};

/// Most rows of one list.
pub const LIST_MAX: usize = 1000;
/// Most rows that are looked at for one list.
const LOOKED_AT: i64 = 100_000;

/// A token as the register knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Id inside the token.
    pub jti: String,
    /// Subject.
    pub sub: String,
    /// Role.
    pub role: Role,
    /// Restrictions.
    pub scope: CredentialScope,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last seen, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// Subject of whoever made it; `offline` for one signed while the daemon was stopped, and
    /// [`renewed_from`] for one that continues another.
    pub created_by: String,
}

/// Records a token; one that is known already only gets its last use (an offline token at first use).
pub fn record_token(tx: &WriteTx<'_>, token: &TokenRow) -> Result<()> {
    const SQL: &str = "INSERT INTO auth_tokens
        (jti, sub, role, scope_json, created_at, expires_at, revoked_at, last_used_at, created_by)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (jti) DO UPDATE SET last_used_at = coalesce(excluded.last_used_at, last_used_at)";
    tx.execute(
        SQL,
        (
            &token.jti,
            &token.sub,
            token.role.as_str(),
            json_of(&token.scope)?,
            token.created_at.to_string(),
            token.expires_at.to_string(),
            token.revoked_at.map(|at| at.to_string()),
            token.last_used_at.map(|at| at.to_string()),
            &token.created_by,
        ),
    )?;
    Ok(())
}

/// What stands in `created_by` of a token that continues the token `jti`.
pub fn renewed_from(jti: &str) -> String {
    format!("renewed:{jti}")
}

/// Revokes a token and all that were renewed from it; whoever stole one may have renewed it. The ids
/// revoked now, the token's own first; empty when all were revoked before; `None`: no such token.
pub fn revoke_token(tx: &WriteTx<'_>, jti: &str) -> Result<Option<Vec<String>>> {
    const KNOWN: &str = "SELECT 1 FROM auth_tokens WHERE jti = ?1 LIMIT 1";
    const LINE: &str = "WITH RECURSIVE line(jti, depth) AS (
          SELECT ?1, 0
          UNION
          SELECT t.jti, line.depth + 1 FROM line JOIN auth_tokens t ON t.created_by = 'renewed:' || line.jti
           WHERE line.depth < 10000)
        SELECT t.jti FROM line JOIN auth_tokens t USING (jti) WHERE t.revoked_at IS NULL ORDER BY line.depth LIMIT 10000";
    const SQL: &str = "UPDATE auth_tokens SET revoked_at = ?2 WHERE jti = ?1";
    let known: Option<i64> = tx.prepare(KNOWN)?.query_row([jti], |row| row.get(0)).optional()?;
    if known.is_none() {
        return Ok(None);
    }
    let mut statement = tx.prepare(LINE)?;
    let line = statement.query_map([jti], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    for jti in &line {
        tx.execute(SQL, (jti, tx.now().to_string()))?;
    }
    Ok(Some(line))
}

/// The restrictions of a token; `None` = no such token.
pub fn scope_of(tx: &ReadTx<'_>, jti: &str) -> Result<Option<CredentialScope>> {
    const SQL: &str = "SELECT scope_json FROM auth_tokens WHERE jti = ?1 LIMIT 1";
    let json: Option<Option<String>> = tx.prepare(SQL)?.query_row([jti], |row| row.get(0)).optional()?;
    json.map(|json| scope_from("auth_tokens", jti, json.as_deref())).transpose()
}

/// The newest tokens whose restrictions `may_see` lets through, at most [`LIST_MAX`].
pub fn list_tokens(
    tx: &ReadTx<'_>,
    limit: usize,
    may_see: impl Fn(&CredentialScope) -> bool,
) -> Result<Vec<TokenRow>> {
    const SQL: &str =
        "SELECT jti, sub, role, scope_json, created_at, expires_at, revoked_at, last_used_at, created_by
        FROM auth_tokens ORDER BY created_at DESC, jti DESC LIMIT ?1";
    let mut statement = tx.prepare(SQL)?;
    let mut rows = statement.query([LOOKED_AT])?;
    let mut tokens = Vec::new();
    while tokens.len() < limit.clamp(1, LIST_MAX)
        && let Some(row) = rows.next()?
    {
        let token = token(row)?;
        if may_see(&token.scope) {
            tokens.push(token);
        }
    }
    Ok(tokens)
}

/// Ids of revoked tokens that have not ended yet: what the daemon holds in memory.
pub fn list_revoked(tx: &ReadTx<'_>, now: Timestamp) -> Result<Vec<String>> {
    const SQL: &str = "SELECT jti FROM auth_tokens
        WHERE revoked_at IS NOT NULL AND expires_at > ?1 ORDER BY revoked_at DESC LIMIT 100000";
    let mut statement = tx.prepare(SQL)?;
    let rows = statement.query_map([now.to_string()], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn token(row: &rusqlite::Row<'_>) -> Result<TokenRow> {
    const TABLE: &str = "auth_tokens";
    let jti: String = row.get("jti")?;
    let stamp = |column: &'static str| -> Result<Option<Timestamp>> {
        let text: Option<String> = row.get(column)?;
        let read = |text: String| Timestamp::parse_stored(&text).ok_or_else(|| corrupt(TABLE, column, &jti));
        text.map(read).transpose()
    };
    let missing = |column: &'static str| corrupt(TABLE, column, &jti);
    Ok(TokenRow {
        sub: row.get("sub")?,
        role: role_from(TABLE, &jti, &row.get::<_, String>("role")?)?,
        scope: scope_from(TABLE, &jti, row.get::<_, Option<String>>("scope_json")?.as_deref())?,
        created_at: stamp("created_at")?.ok_or_else(|| missing("created_at"))?,
        expires_at: stamp("expires_at")?.ok_or_else(|| missing("expires_at"))?,
        revoked_at: stamp("revoked_at")?,
        last_used_at: stamp("last_used_at")?,
        created_by: row.get("created_by")?,
        jti,
    })
}

#[cfg(test)]
mod tests;

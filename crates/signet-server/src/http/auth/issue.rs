//! Making a token: signed, recorded so that it can be revoked, answered once.

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Role, Timestamp};
use signet_store::control::credential::CredentialScope;
use signet_store::control::tokens::{TokenRow, record_token, renewed_from};

use crate::auth::principal::Principal;
use crate::auth::token::{Claims, random_text, sign};
use crate::cx::Cx;

/// A new token.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Issued {
    /// The token; shown only here.
    token: String,
    /// When it ends.
    expires_at: String,
    /// Its id for revocation.
    jti: String,
}

/// Rights of a token to be made.
#[derive(Debug)]
pub(super) struct Rights {
    pub(super) sub: String,
    pub(super) name: Option<String>,
    pub(super) role: Role,
    pub(super) scope: CredentialScope,
    pub(super) permissions: Option<Vec<String>>,
    /// What stands in `created_by`.
    pub(super) maker: String,
}

impl Rights {
    /// The rights of a principal, no more. 400 when a token cannot express them.
    pub(super) fn of(principal: &Principal) -> Result<Self, Error> {
        let restriction = &principal.restriction;
        let project = match restriction.projects.as_deref() {
            None => None,
            Some([only]) => Some(only.clone()),
            Some(_) => {
                return Err(Error::new(
                    signet_model::Code::InvalidRequest,
                    "a token cannot hold the several projects of this API key",
                )
                .hint("use the key itself"));
            }
        };
        let words =
            |list: &Vec<signet_model::Permission>| list.iter().map(|p| p.as_str().to_owned()).collect();
        Ok(Self {
            sub: principal.subject.clone(),
            name: principal.claims.as_ref().and_then(|claims| claims.name.clone()),
            role: principal.role,
            scope: CredentialScope {
                project,
                agent: restriction.agent.clone(),
                user: restriction.user.clone(),
            },
            permissions: principal.permissions.as_ref().map(words),
            maker: match principal.claims.as_ref().and_then(|claims| claims.jti.as_deref()) {
                Some(jti) => renewed_from(jti),
                None => principal.subject.clone(),
            },
        })
    }
}

/// Signs and records a token of `ttl_seconds`; it is good only once its row is committed.
pub(super) async fn issue(cx: &Cx, rights: Rights, ttl_seconds: i64) -> Result<Issued, Error> {
    let now = cx.state.clock.now();
    let iat = now.millis().div_euclid(1000);
    let exp = iat + ttl_seconds;
    let jti = random_text::<12>()?;
    let row = TokenRow {
        jti: jti.clone(),
        sub: rights.sub.clone(),
        role: rights.role,
        scope: rights.scope.clone(),
        created_at: now,
        expires_at: Timestamp::from_millis(exp * 1000),
        revoked_at: None,
        last_used_at: None,
        created_by: rights.maker,
    };
    let claims = Claims {
        sub: rights.sub,
        name: rights.name,
        scope: rights.scope,
        role: rights.role.as_str().to_owned(),
        permissions: rights.permissions,
        iat: Some(iat),
        exp: Some(exp),
        jti: Some(jti.clone()),
    };
    let token = sign(&cx.state.gate.secret, &claims)?;
    let expires_at = row.expires_at.to_string();
    cx.state.writer.write(move |tx| record_token(tx, &row)).await?;
    Ok(Issued { token, expires_at, jti })
}

//! Credentials: who am I, make and revoke tokens and keys, hand one over to a page.

mod create_key;
mod create_token;
mod handoff;
mod issue;
mod key_answer;
mod list_keys;
mod list_tokens;
mod login;
mod methods;
mod redeem;
mod revoke_key;
mod revoke_token;
mod session;
mod whoami;

use signet_model::Permission;

use crate::openapi::schema;
use crate::route::{Access, Rate, Route, Verb, route};

const ADMIN: Access = Access::Needs(Permission::Admin);

/// Routes of this resource.
pub const ROUTES: &[Route] = &[
    route(
        Verb::Get,
        "/api/auth/whoami",
        Access::Open,
        |cx| Box::pin(async move { whoami::whoami(&cx) }),
        schema::<whoami::Whoami>,
        "Who the caller is and what it may do; never 401.",
    ),
    route(
        Verb::Get,
        "/api/auth/methods",
        Access::Open,
        |cx| Box::pin(async move { methods::methods(&cx) }),
        schema::<methods::Methods>,
        "Ways to log in.",
    ),
    Route {
        rate: Rate::Admin,
        fields: create_token::FIELDS,
        ..route(
            Verb::Post,
            "/api/auth/token",
            ADMIN,
            |cx| Box::pin(create_token::create_token(cx)),
            schema::<issue::Issued>,
            "Makes a token that may at most what the caller may; its text is shown once.",
        )
    },
    Route {
        fields: list_tokens::FIELDS,
        ..route(
            Verb::Get,
            "/api/auth/tokens",
            ADMIN,
            |cx| Box::pin(list_tokens::list_tokens(cx)),
            schema::<list_tokens::Tokens>,
            "Tokens that were made, newest first, without their text.",
        )
    },
    Route {
        rate: Rate::Admin,
        ..route(
            Verb::Delete,
            "/api/auth/tokens/{jti}",
            ADMIN,
            |cx| Box::pin(revoke_token::revoke_token(cx)),
            schema::<revoke_token::Ended>,
            "Revokes one token, at once.",
        )
    },
    route(
        Verb::Get,
        "/api/auth/api-keys",
        ADMIN,
        |cx| Box::pin(list_keys::list_keys(cx)),
        schema::<list_keys::Keys>,
        "API keys, newest first, without the keys themselves.",
    ),
    Route {
        rate: Rate::Admin,
        fields: create_key::FIELDS,
        ..route(
            Verb::Post,
            "/api/auth/api-keys",
            ADMIN,
            |cx| Box::pin(create_key::create_key(cx)),
            schema::<create_key::Created>,
            "Makes an API key; the key is shown once.",
        )
    },
    Route {
        rate: Rate::Admin,
        ..route(
            Verb::Delete,
            "/api/auth/api-keys/{id}",
            ADMIN,
            |cx| Box::pin(revoke_key::revoke_key(cx)),
            schema::<revoke_key::Revoked>,
            "Revokes the key of an id or of the beginning of a prefix.",
        )
    },
    route(
        Verb::Post,
        "/api/auth/session",
        Access::Any,
        |cx| Box::pin(session::session(cx)),
        schema::<issue::Issued>,
        "Renews the caller's token with the same rights.",
    ),
    route(
        Verb::Post,
        "/api/auth/handoff",
        Access::Any,
        |cx| Box::pin(async move { handoff::handoff(&cx) }),
        schema::<handoff::Handoff>,
        "A code, good once and for a minute, that a page turns into a token.",
    ),
    Route {
        rate: Rate::Handoff,
        fields: redeem::FIELDS,
        ..route(
            Verb::Post,
            "/api/auth/handoff/redeem",
            Access::Open,
            |cx| Box::pin(redeem::redeem(cx)),
            schema::<issue::Issued>,
            "Turns a hand-off code into a session token.",
        )
    },
    route(
        Verb::Post,
        "/api/auth/login",
        Access::Open,
        |_| Box::pin(async { login::login() }),
        crate::openapi::any_object,
        "Log-in by password is not provided: 503 `not_configured`.",
    ),
];

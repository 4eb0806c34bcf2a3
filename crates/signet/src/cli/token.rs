//! `signet token …`. The first token needs no credential: reading the workspace's secret is the proof.

use std::time::Duration;

use clap::Subcommand;
use serde_json::{Map, Value, json};
use signet_client::{Client, Method};

use super::cx::{self, Cx};
use super::fail::Fail;
use super::session::self_signed;
use super::{duration, project, remember, when};

/// Commands of `token`.
#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Make a token; it is printed once.
    Create {
        /// admin, operator, agent or readonly.
        #[arg(long, default_value = "agent", value_name = "ROLE")]
        role: String,
        /// Restrict it: `project=…`, `agent=…`, `user=…`; may be given several times.
        #[arg(long = "scope", value_name = "AXIS=VALUE", value_parser = axis)]
        scopes: Vec<(String, String)>,
        /// Its life: 60s to 365d [default: 7d].
        #[arg(long, value_parser = duration, value_name = "DURATION")]
        ttl: Option<Duration>,
        /// What it is for.
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,
        /// Fewer permissions than the role has, separated by commas.
        #[arg(long, value_delimiter = ',', value_name = "WORDS")]
        permissions: Vec<String>,
    },
    /// List tokens, without their text.
    List,
    /// Revoke a token at once.
    Revoke {
        /// Its `jti`, as `token list` shows it.
        jti: String,
    },
    /// Show who you are to the daemon.
    Whoami,
}

/// Runs a command of `token`.
pub(crate) fn run(cx: &Cx, command: &Token) -> Result<(), Fail> {
    match command {
        Token::Create { role, scopes, ttl, name, permissions } => {
            let wanted = Wanted { role, scopes, ttl: *ttl, name: name.as_deref(), permissions };
            create(cx, &wanted)
        }
        Token::List => list(cx),
        Token::Revoke { jti } => {
            let answer =
                cx.session()?.call(Method::Delete, &Client::at("/api/auth/tokens/", jti, ""), None)?;
            if cx.out.is_json() { cx.out.json(&answer) } else { cx.out.line(&format!("Revoked {jti}")) }
        }
        Token::Whoami => whoami(cx),
    }
}

/// A token as it is asked for.
struct Wanted<'a> {
    role: &'a str,
    scopes: &'a [(String, String)],
    ttl: Option<Duration>,
    name: Option<&'a str>,
    permissions: &'a [String],
}

fn axis(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((axis @ ("project" | "agent" | "user"), value)) if !value.is_empty() => {
            Ok((axis.to_owned(), value.to_owned()))
        }
        _ => Err("give project=…, agent=… or user=…".to_owned()),
    }
}

fn create(cx: &Cx, wanted: &Wanted<'_>) -> Result<(), Fail> {
    let mut body = Map::from_iter([("role".to_owned(), json!(wanted.role))]);
    let scope =
        wanted.scopes.iter().map(|(axis, value)| Ok((axis.clone(), json!(axis_value(cx, axis, value)?))));
    let scope = scope.collect::<Result<Map<String, Value>, Fail>>()?;
    body.insert("scope".to_owned(), Value::Object(scope));
    if let Some(ttl) = wanted.ttl {
        body.insert("ttlSeconds".to_owned(), json!(ttl.as_secs()));
    }
    if let Some(name) = wanted.name {
        body.insert("name".to_owned(), json!(name));
    }
    if !wanted.permissions.is_empty() {
        body.insert("permissions".to_owned(), json!(wanted.permissions));
    }
    let answer = match cx.session()?.post("/api/auth/token", &Value::Object(body)) {
        Err(fail) if fail.text("code") == Some("daemon_stopped") => offline(cx, wanted, fail)?,
        answer => answer?,
    };
    if wanted.scopes.is_empty() && matches!(wanted.role, "agent" | "readonly") {
        cx.out.warn("the token is not restricted to an agent, a project or a user; --scope does that");
    }
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
    cx.out.note(&format!("It ends {} and is shown this once:", when::local(text("expiresAt"))));
    cx.out.line(text("token"))
}

/// A project is named as in every other command: `.` and folders stand for the repository around them.
fn axis_value(cx: &Cx, axis: &str, value: &str) -> Result<String, Fail> {
    if axis == "project" { project::named(value, remember::worktrees(cx)) } else { Ok(value.to_owned()) }
}

/// With the daemon stopped a plain admin-made token is signed here; the daemon records it at its first use.
fn offline(cx: &Cx, wanted: &Wanted<'_>, stopped: Fail) -> Result<Value, Fail> {
    if !wanted.scopes.is_empty() || !wanted.permissions.is_empty() {
        return Err(stopped.hint("start the daemon: a restricted token is made by it"));
    }
    if signet_model::Role::parse(wanted.role).is_none() {
        return Err(Fail::usage("role must be one of: admin, operator, agent, readonly"));
    }
    let ttl = wanted.ttl.map_or(604_800, |ttl| ttl.as_secs()).clamp(60, 31_536_000);
    let token = self_signed(cx, ttl, wanted.role).ok_or(stopped)?;
    let expires = cx::now().plus_millis(i64::try_from(ttl * 1000).unwrap_or(i64::MAX));
    Ok(json!({ "token": token, "expiresAt": expires.to_string(), "jti": null }))
}

fn list(cx: &Cx) -> Result<(), Fail> {
    let answer = cx.session()?.get("/api/auth/tokens", &[])?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "tokens");
    }
    let rows: Vec<Vec<String>> = answer
        .get("tokens")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|token| {
            let text = |key: &str| token.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let state = if text("revokedAt").is_empty() { String::new() } else { "revoked".to_owned() };
            vec![text("jti"), text("sub"), text("role"), when::local(&text("expiresAt")), state]
        })
        .collect();
    if rows.is_empty() && cx.out.terminal {
        return cx.out.line("No tokens.");
    }
    cx.out.table(&["jti", "subject", "role", "ends", ""], 1, &rows)
}

fn whoami(cx: &Cx) -> Result<(), Fail> {
    let answer = cx.session()?.get("/api/auth/whoami", &[])?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let words = |pointer: &str| {
        let items = answer.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
    };
    let who = text("/claims/sub");
    let trusted = answer.get("trustedLocal").and_then(Value::as_bool) == Some(true);
    let who = if who.is_empty() && trusted { "the person at this machine".to_owned() } else { who };
    for (label, value) in [
        ("you are", if who.is_empty() { "nobody it knows".to_owned() } else { who }),
        ("role", text("/claims/role")),
        ("mode", text("/mode")),
        ("access", text("/effectiveAccess")),
        ("permissions", words("/permissions")),
        ("problem", text("/error")),
    ] {
        if !value.is_empty() {
            cx.out.line(&format!("{label:<13}{}", super::text::one_line(&value)))?;
        }
    }
    Ok(())
}

//! `signet api-key …`: long-lived keys of programs.

use clap::Subcommand;
use serde_json::{Map, Value, json};
use signet_client::{Client, Method};

use super::cx::Cx;
use super::fail::Fail;
use super::{project, remember, when};

/// Commands of `api-key`.
#[derive(Debug, Subcommand)]
pub(crate) enum ApiKey {
    /// Make a key; it is printed once.
    Create(Create),
    /// List keys, without their text.
    List,
    /// Revoke a key at once.
    Revoke {
        /// Id or prefix, as `api-key list` shows it.
        id: String,
    },
}

/// Arguments of `api-key create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Create {
    /// What it is for.
    #[arg(long, value_name = "TEXT")]
    name: String,
    /// Harness that uses it.
    #[arg(long, value_name = "NAME")]
    harness: Option<String>,
    /// Connector that uses it.
    #[arg(long, value_name = "NAME")]
    connector: Option<String>,
    /// admin, operator, agent or readonly.
    #[arg(long, default_value = "agent", value_name = "ROLE")]
    role: String,
    /// Agent it is restricted to.
    #[arg(long, value_name = "ID")]
    agent_id: Option<String>,
    /// Project it is restricted to; may be given several times.
    #[arg(long = "project", value_name = "PROJECT")]
    projects: Vec<String>,
    /// When it ends; never when absent.
    #[arg(long, value_name = "TIME")]
    expires_at: Option<String>,
}

/// Runs a command of `api-key`.
pub(crate) fn run(cx: &Cx, command: &ApiKey) -> Result<(), Fail> {
    match command {
        ApiKey::Create(args) => create(cx, args),
        ApiKey::List => list(cx),
        ApiKey::Revoke { id } => {
            let answer =
                cx.session()?.call(Method::Delete, &Client::at("/api/auth/api-keys/", id, ""), None)?;
            if cx.out.is_json() { cx.out.json(&answer) } else { cx.out.line(&format!("Revoked {id}")) }
        }
    }
}

fn create(cx: &Cx, args: &Create) -> Result<(), Fail> {
    let mut body =
        Map::from_iter([("name".to_owned(), json!(args.name)), ("role".to_owned(), json!(args.role))]);
    let texts = [
        ("harness", &args.harness),
        ("connector", &args.connector),
        ("agentId", &args.agent_id),
        ("expiresAt", &args.expires_at),
    ];
    for (key, value) in texts {
        if let Some(value) = value {
            body.insert(key.to_owned(), json!(value));
        }
    }
    if !args.projects.is_empty() {
        let worktrees = remember::worktrees(cx);
        let projects = args.projects.iter().map(|project| project::named(project, worktrees));
        let projects = projects.collect::<Result<Vec<_>, Fail>>()?;
        body.insert("allowedProjects".to_owned(), json!(projects));
    }
    let answer = cx.session()?.post("/api/auth/api-keys", &Value::Object(body))?;
    let restricted = args.agent_id.is_some() || !args.projects.is_empty();
    if !restricted && matches!(args.role.as_str(), "agent" | "readonly") {
        cx.out.warn("the key is not restricted to an agent or a project; --agent-id and --project do that");
    }
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    cx.out.note("It is shown this once:");
    cx.out.line(answer.pointer("/apiKey/key").and_then(Value::as_str).unwrap_or_default())
}

fn list(cx: &Cx) -> Result<(), Fail> {
    let answer = cx.session()?.get("/api/auth/api-keys", &[])?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "apiKeys");
    }
    let rows: Vec<Vec<String>> = answer
        .get("apiKeys")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|key| {
            let text = |name: &str| key.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let state = if text("revokedAt").is_empty() { String::new() } else { "revoked".to_owned() };
            let time =
                |name: &str| if text(name).is_empty() { String::new() } else { when::local(&text(name)) };
            vec![
                text("id"),
                text("prefix"),
                text("name"),
                text("role"),
                time("lastUsedAt"),
                time("expiresAt"),
                state,
            ]
        })
        .collect();
    if rows.is_empty() && cx.out.terminal {
        return cx.out.line("No keys.");
    }
    cx.out.table(&["id", "prefix", "name", "role", "last used", "ends", ""], 2, &rows)
}

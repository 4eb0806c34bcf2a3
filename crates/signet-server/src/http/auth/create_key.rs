//! POST /api/auth/api-keys

use schemars::JsonSchema;
use serde::Serialize;
use signet_model::{Error, Permission, Role};
use signet_store::control::keys::{KeyRow, insert_key};

use super::create_token::{PERMISSIONS, ROLES, SCOPE, asked_scope, within_role, within_scope};
use super::key_answer::KeyAnswer;
use crate::auth::keys::{hash, mint};
use crate::auth::token::random_text;
use crate::cx::{Cx, Reply};
use crate::field::{Field, Kind};

const NAME: Kind = Kind::Text { min: 1, max: 128 };
/// What a harness or connector needs.
const BOUND_PERMISSIONS: [Permission; 3] = [Permission::Recall, Permission::Remember, Permission::Documents];

pub(super) const FIELDS: &[Field] = &[
    Field::new("name", NAME, "Name for people.").required("name is required"),
    Field::new("connector", NAME, "Connector the key belongs to."),
    Field::new("harness", NAME, "Harness the key belongs to."),
    Field::new("role", Kind::OneOf(ROLES), "Role; `agent` when absent.")
        .wrong("role must be one of: admin, operator, agent, readonly"),
    Field::new("agentId", Kind::Text { min: 1, max: 64 }, "Agent the key is bound to."),
    Field::new("scope", Kind::Record(SCOPE), "What the key is restricted to."),
    Field::new("permissions", Kind::SomeOf(PERMISSIONS), "List that narrows the role."),
    Field::new(
        "allowedProjects",
        Kind::Texts { max: 100, min_len: 1, max_len: 4096 },
        "Only these projects.",
    ),
    Field::new("expiresAt", Kind::Time, "When the key ends; never when absent."),
];

/// A new key with its text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Created {
    api_key: CreatedKey,
}

/// The key's row and the key.
#[derive(Debug, Serialize, JsonSchema)]
struct CreatedKey {
    #[serde(flatten)]
    row: KeyAnswer,
    /// The key; shown only here.
    key: String,
}

pub(super) async fn create_key(cx: Cx) -> Result<Reply, Error> {
    let (row, key) = new_row(&cx)?;
    let stored = row.clone();
    cx.state.writer.write(move |tx| insert_key(tx, &stored)).await?;
    let answer = Created { api_key: CreatedKey { row: KeyAnswer::of(&row)?, key } };
    cx.state.gate.registry.put_key(row);
    Reply::with_status(201, &answer)
}

fn new_row(cx: &Cx) -> Result<(KeyRow, String), Error> {
    let input = &cx.input;
    let text = |name: &str| input.text(name).map(str::to_owned);
    let role = input.text("role").and_then(Role::parse).unwrap_or(Role::Agent);
    let (connector, harness, agent) = (text("connector"), text("harness"), text("agentId"));
    let asked: Option<Vec<Permission>> = input
        .texts("permissions")
        .map(|words| words.iter().filter_map(|word| Permission::parse(word)).collect());
    let bound = connector.is_some() || harness.is_some();
    let permissions = asked.or_else(|| bound.then(|| BOUND_PERMISSIONS.to_vec()));
    let words: Option<Vec<String>> =
        permissions.as_ref().map(|list| list.iter().map(|p| p.as_str().to_owned()).collect());
    within_role(&cx.principal, role, words.as_deref())?;

    let mut scope = asked_scope(input);
    scope.agent = scope.agent.or_else(|| agent.clone());
    let allowed_projects = allowed_projects(cx)?;
    let mut maker = cx.principal.clone();
    if allowed_projects.is_some() {
        // The list, checked already, stands for the project axis.
        maker.restriction.projects = None;
    }
    let scope = within_scope(&maker, scope)?;
    let (prefix, key) = mint()?;
    let row = KeyRow {
        id: format!("key_{}", random_text::<9>()?),
        prefix,
        name: text("name").unwrap_or_default(),
        key_hash: hash(&key),
        role,
        agent: agent.or_else(|| scope.agent.clone()),
        scope,
        permissions,
        connector,
        harness,
        allowed_projects,
        created_at: cx.state.clock.now(),
        last_used_at: None,
        revoked_at: None,
        expires_at: input.time("expiresAt"),
    };
    Ok((row, key))
}

/// The asked list, normalised; a project that the maker may not use is 403.
fn allowed_projects(cx: &Cx) -> Result<Option<Vec<String>>, Error> {
    let Some(asked) = cx.input.texts("allowedProjects") else { return Ok(None) };
    let asked: Vec<String> = asked.iter().map(|project| signet_model::project::normalise(project)).collect();
    if let Some(own) = &cx.principal.restriction.projects
        && asked.iter().any(|project| !own.contains(project))
    {
        return Err(crate::middleware::scope::restricted("project", &own.join("', '")));
    }
    Ok(Some(asked))
}

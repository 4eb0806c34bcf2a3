//! Agent, project and user of a request: the one place where an [`AgentScope`] is granted.

use serde_json::{Map, Value};
use signet_model::{AgentId, AgentScope, Code, Error};

use super::said::loose;
use crate::auth::principal::Restriction;
use crate::field::{Field, Kind};
use crate::input::Input;
use crate::route::{Access, Route, Verb};

const AGENT_MAX: usize = 64;

/// Where a request may name its agent.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// Body.
    pub body: &'a Map<String, Value>,
    /// Query.
    pub query: &'a [(String, String)],
    /// `x-signet-agent-id`.
    pub header: Option<&'a str>,
    /// Session key, which may have the form `agent:<id>:…`.
    pub session_key: Option<&'a str>,
}

/// The scope of a request: body, query, header, session key, credential, `default`, in this order.
/// Two different explicit agents are 400; one that the credential does not allow is 403.
pub fn grant(named: Named<'_>, restriction: &Restriction) -> Result<AgentScope, Error> {
    let mut explicit = loose("agentId", named.body, named.query);
    explicit.extend(named.header);
    if let Some(other) = explicit.iter().find(|agent| *agent != &explicit[0]) {
        let sentence = format!("agentId is given as '{}' and as '{}'", shown(explicit[0]), shown(other));
        let mut error = Error::new(Code::ConflictingFields, sentence);
        error.field = Some("agentId".to_owned());
        return Err(error);
    }
    let asked = explicit.first().copied().or_else(|| named.session_key.and_then(agent_of_session));
    if let Some(agent) = asked {
        check_agent(agent)?;
        if restriction.agent.as_deref().is_some_and(|own| own != agent) {
            return Err(restricted("agent", restriction.agent.as_deref().unwrap_or_default()));
        }
    }
    let agent = asked.or(restriction.agent.as_deref()).map_or_else(AgentId::default_agent, AgentId::from);
    Ok(AgentScope::granted(agent, restriction.projects.clone(), restriction.user.clone()))
}

/// Checks `project` and `who` of a request and of its items against the credential, and fills in what
/// is missing. Without a value, reads are filtered inside their query; a write needs one project to go to.
pub fn restrict(
    route: &Route,
    input: &mut Input,
    restriction: &Restriction,
    scope: &AgentScope,
) -> Result<(), Error> {
    check_fields(route, route.fields, input, restriction)?;
    for field in route.fields {
        match field.kind {
            Kind::Items { fields, .. } => {
                for item in input.items_mut(field.name) {
                    check_item(route, fields, item, (restriction, scope))?;
                }
            }
            Kind::Each { fields, .. } => {
                for verdict in input.each_mut(field.name) {
                    let checked = match verdict {
                        Ok(item) => check_item(route, fields, item, (restriction, scope)),
                        Err(_) => Ok(()),
                    };
                    if let Err(refusal) = checked {
                        *verdict = Err(refusal);
                    }
                }
            }
            Kind::Text { .. }
            | Kind::Bool
            | Kind::Int { .. }
            | Kind::Clamped { .. }
            | Kind::Number { .. }
            | Kind::Time
            | Kind::TimeUntil
            | Kind::Tags
            | Kind::Texts { .. }
            | Kind::OneOf(_)
            | Kind::SomeOf(_)
            | Kind::Object { .. }
            | Kind::Record(_)
            | Kind::Id => {}
        }
    }
    Ok(())
}

/// One request writes for one agent: an item may name that one only.
fn check_item(
    route: &Route,
    fields: &[Field],
    item: &mut Input,
    (restriction, scope): (&Restriction, &AgentScope),
) -> Result<(), Error> {
    if let Some(agent) = item.text("agentId")
        && agent != scope.agent().as_str()
    {
        let sentence = format!("the item names agent '{}', the request '{}'", shown(agent), scope.agent());
        let mut error = Error::new(Code::ConflictingFields, sentence);
        error.field = Some("agentId".to_owned());
        return Err(error);
    }
    check_fields(route, fields, item, restriction)
}

fn check_fields(
    route: &Route,
    fields: &[Field],
    input: &mut Input,
    restriction: &Restriction,
) -> Result<(), Error> {
    if let (Some(allowed), true) = (&restriction.projects, takes(fields, "project")) {
        match (input.text("project").map(signet_model::project::normalise), &allowed[..]) {
            (Some(project), _) if allowed.contains(&project) => {}
            (None, [only]) => input.fill_text("project", only),
            (None, _) if is_read(route) => {}
            _ => return Err(restricted("project", &allowed.join("', '"))),
        }
    }
    if let (Some(own), true) = (&restriction.user, takes(fields, "who")) {
        match input.text("who") {
            Some(who) if who == own => {}
            None => input.fill_text("who", own),
            Some(_) => return Err(restricted("user", own)),
        }
    }
    Ok(())
}

fn takes(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name)
}

fn is_read(route: &Route) -> bool {
    route.method == Verb::Get || route.access == Access::Needs(signet_model::Permission::Recall)
}

/// The 403 of a credential that is bound to something else: it names the axis and the value.
pub fn restricted(axis: &'static str, value: &str) -> Error {
    Error::new(Code::ScopeRestricted, format!("scope restricted to {axis} '{value}'"))
}

fn agent_of_session(key: &str) -> Option<&str> {
    key.strip_prefix("agent:")?.split(':').next().filter(|agent| !agent.is_empty())
}

fn check_agent(agent: &str) -> Result<(), Error> {
    let fits =
        agent.len() <= AGENT_MAX && agent.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:-".contains(&b));
    if fits {
        return Ok(());
    }
    Err(Error::field("agentId", "agentId must be 1 to 64 characters of letters, digits and _ . : -"))
}

fn shown(text: &str) -> String {
    text.chars().take(AGENT_MAX).collect()
}

#[cfg(test)]
mod tests;

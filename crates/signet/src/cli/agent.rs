//! `signet agent …`: agents, and what each may read of the others.

use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value, json};
use signet_client::{AgentRow, AgentsAnswer, Client, Method};

use super::cx::Cx;
use super::fail::Fail;
use super::{ask, input, text};

/// Commands of `agent`.
#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// List agents.
    List,
    /// Add an agent.
    Add {
        /// Name: small letters, digits and dashes.
        name: String,
        /// Whose global memories it reads too: nobody's, those of all that share, those of its group.
        #[arg(long, value_enum, default_value = "isolated", value_name = "POLICY")]
        memory: Policy,
        /// Group of a `group` agent.
        #[arg(long, value_name = "GROUP", required_if_eq("memory", "group"))]
        group: Option<String>,
    },
    /// Show an agent.
    Show {
        /// Name.
        name: String,
    },
    /// Change what an agent reads.
    Set {
        /// Name.
        name: String,
        /// Whose global memories it reads too: nobody's, those of all that share, those of its group.
        #[arg(long, value_enum, value_name = "POLICY")]
        memory: Policy,
        /// Group of a `group` agent.
        #[arg(long, value_name = "GROUP", required_if_eq("memory", "group"))]
        group: Option<String>,
    },
    /// Remove an agent; its memories are archived.
    Remove {
        /// Name.
        name: String,
        /// Purge its memories instead.
        #[arg(long)]
        purge: bool,
    },
}

/// What an agent reads beside its own memories: nothing; global memories of agents that are not isolated;
/// global memories of agents with the same group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    Isolated,
    Shared,
    Group,
}

impl Policy {
    const fn word(self) -> &'static str {
        match self {
            Self::Isolated => "isolated",
            Self::Shared => "shared",
            Self::Group => "group",
        }
    }
}

/// Runs a command of `agent`.
pub(crate) fn run(cx: &Cx, command: &Agent) -> Result<(), Fail> {
    match command {
        Agent::List => list(cx),
        Agent::Add { name, memory, group } => {
            let mut body = policy(*memory, group.as_deref());
            body.insert("name".to_owned(), json!(name));
            let answer = cx.session()?.post("/api/agents", &Value::Object(body))?;
            done(cx, &answer, &format!("Added {name} ({})", memory.word()))
        }
        Agent::Show { name } => show(cx, name),
        Agent::Set { name, memory, group } => {
            let body = Value::Object(policy(*memory, group.as_deref()));
            let answer = cx.session()?.call(Method::Patch, &path(name), Some(&body))?;
            done(cx, &answer, &format!("{name} is {} now", memory.word()))
        }
        Agent::Remove { name, purge } => remove(cx, name, *purge),
    }
}

fn policy(memory: Policy, group: Option<&str>) -> Map<String, Value> {
    Map::from_iter([
        ("read_policy".to_owned(), json!(memory.word())),
        ("policy_group".to_owned(), json!(group)),
    ])
}

fn path(name: &str) -> String {
    Client::at("/api/agents/", name, "")
}

fn list(cx: &Cx) -> Result<(), Fail> {
    let answer = cx.session()?.get("/api/agents", &[])?;
    if cx.out.is_json() {
        return cx.out.json_list(&answer, "agents");
    }
    let answer: AgentsAnswer = input::read(answer)?;
    let rows: Vec<Vec<String>> = answer.agents.iter().map(cells).collect();
    cx.out.table(&["agent", "reads", "group"], 0, &rows)
}

fn cells(agent: &AgentRow) -> Vec<String> {
    vec![
        agent.id.clone(),
        agent.read_policy.clone().unwrap_or_default(),
        agent.policy_group.clone().unwrap_or_default(),
    ]
}

fn show(cx: &Cx, name: &str) -> Result<(), Fail> {
    let answer = cx.session()?.get(&path(name), &[])?;
    if cx.out.is_json() {
        return cx.out.json(&answer);
    }
    let count = answer.get("memory_count").and_then(Value::as_i64).unwrap_or_default();
    let agent: AgentRow = input::read(answer)?;
    for (label, value) in ["agent", "reads", "group"].iter().zip(cells(&agent)) {
        if !value.is_empty() {
            cx.out.line(&format!("{label:<10}{}", text::one_line(&value)))?;
        }
    }
    cx.out.line(&format!("{:<10}{count}", "memories"))
}

fn remove(cx: &Cx, name: &str, purge: bool) -> Result<(), Fail> {
    let mut session = cx.session()?;
    let agent = session.get(&path(name), &[])?;
    let count = agent.get("memory_count").and_then(Value::as_u64).unwrap_or_default();
    let memories = text::count(count, "memory", "memories");
    let what = if purge { "purge" } else { "archive" };
    if !ask::confirm(cx, &format!("Remove {name} and {what} its {memories}?"))? {
        return cx.out.line("Nothing was removed.");
    }
    let query = if purge { Client::at("?purge=true&confirm=", name, "") } else { String::new() };
    let answer = session.call(Method::Delete, &format!("{}{query}", path(name)), None)?;
    done(cx, &answer, &format!("Removed {name}"))
}

fn done(cx: &Cx, answer: &Value, sentence: &str) -> Result<(), Fail> {
    if cx.out.is_json() { cx.out.json(answer) } else { cx.out.line(sentence) }
}

//! No read path ever returns, counts or betrays what its caller may not see: random agents with random
//! policies, random rows, every reading route of the table, several kinds of principal.
#![expect(clippy::expect_used, reason = "tests")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use signet_model::embed::{EmbedRole, Embedder};
use signet_model::{Permission, Role};
use signet_server::config::{Mode, ServerConfig};
use signet_server::http::table;
use signet_server::route::{Access, Route, Verb};
use signet_server::testing::{Answer, Setup, TestServer, WordEmbedder};
use signet_store::control::credential::CredentialScope;
use signet_store::derived::{embedding, profile, work};

const AGENTS: [&str; 4] = ["ann", "ben", "cat", "dan"];
const PROJECTS: [&str; 2] = ["/t/one", "/t/two"];
const USERS: [&str; 2] = ["mia", "tom"];
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

#[derive(Debug, Clone, PartialEq)]
enum Policy {
    Isolated,
    Shared,
    Group(&'static str),
}

#[derive(Debug, Clone)]
struct Planned {
    owner: usize,
    global: bool,
    project: usize,
    user: usize,
    deleted: bool,
}

#[derive(Debug)]
struct Row {
    id: String,
    plan: Planned,
}

/// A credential: an agent, and maybe one project or one user of it.
#[derive(Debug, Clone, Copy)]
struct Reader {
    agent: usize,
    project: Option<usize>,
    user: Option<usize>,
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        Just(Policy::Isolated),
        Just(Policy::Shared),
        Just(Policy::Group("red")),
        Just(Policy::Group("blue")),
    ]
}

fn planned() -> impl Strategy<Value = Planned> {
    (0..AGENTS.len(), any::<bool>(), 0..PROJECTS.len(), 0..USERS.len(), proptest::bool::weighted(0.15))
        .prop_map(|(owner, global, project, user, deleted)| Planned { owner, global, project, user, deleted })
}

struct World {
    server: TestServer,
    policies: Vec<Policy>,
    rows: Vec<Row>,
}

impl World {
    async fn new(policies: Vec<Policy>, plans: Vec<Planned>) -> Self {
        let base = Setup::default();
        let config = ServerConfig { mode: Mode::Hybrid, ..base.config };
        let server = TestServer::with(Setup { config, ..base }).await;
        for (name, policy) in AGENTS.iter().zip(&policies) {
            let body = match policy {
                Policy::Isolated => json!({"name": name, "readPolicy": "isolated"}),
                Policy::Shared => json!({"name": name, "readPolicy": "shared"}),
                Policy::Group(group) => json!({"name": name, "readPolicy": "group", "policyGroup": group}),
            };
            server.post("/api/agents").json(&body).send().await.expect(201);
        }
        let mut rows = Vec::new();
        for (n, plan) in plans.into_iter().enumerate() {
            let body = json!({
                "content": format!("tea garden note number {n}"),
                "agentId": AGENTS[plan.owner],
                "visibility": if plan.global { "global" } else { "private" },
                "project": PROJECTS[plan.project],
                "who": USERS[plan.user],
            });
            let stored = server.post("/api/memory/remember").json(&body).send().await;
            let id = stored.expect(200)["id"].as_str().expect("an id").to_owned();
            if plan.deleted {
                let path = format!("/api/memory/{id}?agentId={}&reason=test", AGENTS[plan.owner]);
                server.delete(&path).send().await.expect(200);
            }
            rows.push(Row { id, plan });
        }
        embed_all(&server).await;
        Self { server, policies, rows }
    }

    /// The table of visibility and read policy.
    fn sees_agent(&self, reader: Reader, plan: &Planned) -> bool {
        if plan.owner == reader.agent {
            return true;
        }
        let shared = match (&self.policies[reader.agent], &self.policies[plan.owner]) {
            (Policy::Isolated, _) | (Policy::Shared, Policy::Isolated) => false,
            (Policy::Shared, _) => true,
            (Policy::Group(own), Policy::Group(theirs)) => own == theirs,
            (Policy::Group(_), _) => false,
        };
        shared && plan.global && !plan.deleted
    }

    fn sees(&self, reader: Reader, plan: &Planned) -> bool {
        self.sees_agent(reader, plan)
            && reader.project.is_none_or(|project| project == plan.project)
            && reader.user.is_none_or(|user| user == plan.user)
    }

    fn token(&self, reader: Reader) -> String {
        let scope = CredentialScope {
            agent: Some(AGENTS[reader.agent].to_owned()),
            project: reader.project.map(|project| PROJECTS[project].to_owned()),
            user: reader.user.map(|user| USERS[user].to_owned()),
        };
        self.server.token(Role::Agent, scope)
    }

    /// Calls a reading route with `id` in every place where an id can stand.
    async fn ask(&self, route: &Route, token: &str, id: &str, extra: &str) -> Answer {
        let path = route.path.split('/').map(|part| if part.starts_with('{') { id } else { part });
        let path = path.collect::<Vec<_>>().join("/");
        if route.method == Verb::Get {
            let path =
                format!("{path}?q=tea&query=tea&id={id}&limit=100&k=100&explain=true&explainId={id}{extra}");
            return self.server.get(&path).bearer(token).send().await;
        }
        let body = json!({"query": "tea garden", "limit": 100, "explain": true, "explainId": id});
        self.server.post(&path).bearer(token).json(&body).send().await
    }

    fn known_ids(&self, value: &Value, found: &mut BTreeSet<usize>) {
        match value {
            Value::String(text) => {
                found.extend(self.rows.iter().position(|row| text.contains(&row.id)));
            }
            Value::Array(items) => items.iter().for_each(|item| self.known_ids(item, found)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    found.extend(self.rows.iter().position(|row| key.contains(&row.id)));
                    self.known_ids(value, found);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    async fn check(&self, reader: Reader) {
        let token = self.token(reader);
        for route in reading_routes() {
            for extra in ["", "&includeDeleted=1&deleted=1"] {
                for (asked, row) in self.rows.iter().enumerate() {
                    let answer = self.ask(&route, &token, &row.id, extra).await;
                    let place = format!("{reader:?} {} {extra} asked {:?}", route.path, row.plan);
                    assert!(answer.status < 500, "{place}: {}", answer.body);
                    let mut found = BTreeSet::new();
                    self.known_ids(&answer.body, &mut found);
                    for other in found.into_iter().filter(|other| *other != asked) {
                        let plan = &self.rows[other].plan;
                        assert!(self.sees(reader, plan), "{place} showed {plan:?}: {}", answer.body);
                    }
                    if !route.path.contains("history") {
                        // Status tells of the agent's whole index, from counters.
                        let wide = route.path.ends_with("/status");
                        let reader =
                            if wide { Reader { project: None, user: None, ..reader } } else { reader };
                        let seen = self.rows.iter().filter(|row| self.sees(reader, &row.plan)).count() as u64;
                        assert!(counted(&answer.body) <= seen, "{place} counted: {}", answer.body);
                    }
                    if self.sees(reader, &row.plan) {
                        continue;
                    }
                    if self.sees_agent(reader, &row.plan) && answer.status == 403 {
                        assert_eq!(answer.code(), "scope_restricted", "{place}");
                        continue;
                    }
                    let unknown = self.ask(&route, &token, UNKNOWN, extra).await;
                    assert_eq!(
                        betrayal(&route, &answer, &row.id),
                        betrayal(&route, &unknown, UNKNOWN),
                        "{place}"
                    );
                }
            }
        }
    }

    /// The paired positive case: what a reader may see is found.
    async fn finds_its_own(&self, reader: Reader) {
        let call = self.server.post("/api/memory/recall").bearer(&self.token(reader));
        let answer = call.json(&json!({"query": "tea garden", "limit": 100})).send().await;
        let mut found = BTreeSet::new();
        self.known_ids(answer.expect(200), &mut found);
        let visible =
            |(n, row): (usize, &Row)| (!row.plan.deleted && self.sees(reader, &row.plan)).then_some(n);
        let expect: BTreeSet<usize> = self.rows.iter().enumerate().filter_map(visible).collect();
        assert_eq!(found, expect, "{reader:?} {:?}", self.policies);
        if !expect.is_empty() {
            assert_eq!(answer.body["method"], "hybrid", "the semantic channel ran too");
        }
    }
}

/// Gives every live row its vector, as the background embedding does.
async fn embed_all(server: &TestServer) {
    let profile = WordEmbedder.profile().expect("on");
    let now = server.state.clock.now();
    let due = server.state.reader.read(move |tx| work::due(tx, work::Order::Newest, now, 100)).await;
    let due = due.expect("due");
    assert!(!due.is_empty(), "there is work");
    let texts = due.iter().map(|due| due.text.clone()).collect();
    let vectors = WordEmbedder.embed(EmbedRole::Document, texts).await.expect("vectors");
    let store = move |tx: &signet_store::WriteTx<'_>| {
        profile::activate_if_empty(tx, &profile)?;
        let active = profile::active(&tx.as_read())?.expect("active");
        for (due, made) in due.into_iter().zip(vectors) {
            let made = embedding::Made {
                agent: due.agent,
                memory: due.memory,
                content_hash: due.content_hash,
                vector: made.vector,
                truncated: made.truncated,
            };
            embedding::store(tx, &active, &made)?;
        }
        Ok(())
    };
    server.state.writer.write(store).await.expect("stored");
}

/// What could tell a row that exists from one that does not, where the request names one: of a search
/// the verdict on the asked id (scores move with every access), of a single row everything.
fn betrayal(route: &Route, answer: &Answer, id: &str) -> (u16, String) {
    let said = if route.path.contains('{') || route.path == "/memory/similar" {
        answer.body.clone()
    } else {
        answer.body["explain"]["target"].clone()
    };
    (answer.status, said.to_string().replace(id, "ID"))
}

/// The largest number under a key that says how many there are.
fn counted(value: &Value) -> u64 {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| match (key.as_str(), value.as_u64()) {
                ("total" | "count" | "totalReturned" | "totalMemories", Some(number)) => number,
                _ => counted(value),
            })
            .max()
            .unwrap_or(0),
        Value::Array(items) => items.iter().map(counted).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn reading_routes() -> Vec<Route> {
    let about_memories = |route: &Route| {
        (route.method == Verb::Get || route.method == Verb::Post)
            && route.access == Access::Needs(Permission::Recall)
    };
    table().into_iter().filter(about_memories).collect()
}

#[test]
fn there_are_reading_routes() {
    let paths: Vec<&str> = reading_routes().iter().map(|route| route.path).collect();
    for path in
        ["/api/memory/recall", "/api/memory/search", "/api/memory/{id}", "/api/memories", "/memory/similar"]
    {
        assert!(paths.contains(&path), "{path} of {paths:?}");
    }
}

#[tokio::test]
async fn a_deleted_row_of_another_agent_is_as_unknown_as_none() {
    let plan = |owner, deleted| Planned { owner, global: true, project: 0, user: 0, deleted };
    let world = World::new(vec![Policy::Shared; 4], vec![plan(0, true), plan(0, false), plan(1, true)]).await;
    let reader = Reader { agent: 1, project: None, user: None };
    world.finds_its_own(reader).await;
    world.check(reader).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_foreign_is_ever_shown(
        policies in proptest::collection::vec(policy(), AGENTS.len()),
        plans in proptest::collection::vec(planned(), 4..7),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
        runtime.block_on(async {
            let world = World::new(policies, plans).await;
            for agent in 0..AGENTS.len() {
                let plain = Reader { agent, project: None, user: None };
                world.finds_its_own(plain).await;
                world.check(plain).await;
                for narrow in [Reader { project: Some(0), ..plain }, Reader { user: Some(1), ..plain }] {
                    world.finds_its_own(narrow).await;
                    world.check(narrow).await;
                }
            }
        });
    }
}

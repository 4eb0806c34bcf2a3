//! No read path ever gives a row of a foreign scope (INV-8).

use proptest::prelude::*;
use signet_model::memory::{Draft, Place, Visibility};
use signet_model::recall::{Channels, Request};
use signet_model::{AgentId, AgentScope, MemoryId, ReadPolicy};

use crate::world::World;

const AGENTS: [&str; 4] = ["a", "b", "c", "d"];
const PROJECTS: [&str; 3] = ["", "p1", "p2"];
const USERS: [&str; 2] = ["ana", "ben"];

/// One stored row, and who wrote it where.
#[derive(Debug, Clone)]
struct Row {
    agent: usize,
    project: usize,
    who: usize,
    visibility: Visibility,
}

/// Who asks, and what the credential allows.
#[derive(Debug, Clone)]
struct Principal {
    agent: usize,
    projects: Option<Vec<usize>>,
    user: Option<usize>,
    narrowing: Option<ReadPolicy>,
}

fn policy() -> impl Strategy<Value = ReadPolicy> {
    prop_oneof![
        Just(ReadPolicy::Isolated),
        Just(ReadPolicy::Shared),
        Just(ReadPolicy::Group("g".to_owned())),
        Just(ReadPolicy::Group("h".to_owned())),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let visibility = prop_oneof![3 => Just(Visibility::Global), 1 => Just(Visibility::Private), 1 => Just(Visibility::Archived)];
    (0..4_usize, 0..3_usize, 0..2_usize, visibility).prop_map(|(agent, project, who, visibility)| Row {
        agent,
        project,
        who,
        visibility,
    })
}

fn principal() -> impl Strategy<Value = Principal> {
    let projects = prop::option::of(prop::collection::vec(0..3_usize, 1..3));
    (0..4_usize, projects, prop::option::of(0..2_usize), prop::option::of(policy()))
        .prop_map(|(agent, projects, user, narrowing)| Principal { agent, projects, user, narrowing })
}

/// The rules of who sees a memory, written down once more and independently.
fn may_see(policies: &[ReadPolicy], principal: &Principal, row: &Row) -> bool {
    let credential = principal.projects.as_ref().is_none_or(|list| list.contains(&row.project))
        && principal.user.is_none_or(|user| user == row.who);
    let own = row.agent == principal.agent;
    let reader = &policies[principal.agent];
    let owner = &policies[row.agent];
    let shared = *owner != ReadPolicy::Isolated;
    let grouped = |name: &String| *owner == ReadPolicy::Group(name.clone());
    let policy = |policy: &ReadPolicy| match policy {
        ReadPolicy::Isolated => false,
        ReadPolicy::Shared => shared,
        ReadPolicy::Group(name) => grouped(name),
    };
    let foreign = policy(reader) && principal.narrowing.as_ref().is_none_or(policy);
    match row.visibility {
        Visibility::Archived => false,
        Visibility::Private => own && credential,
        Visibility::Global => (own || foreign) && credential,
    }
}

async fn check(policies: &[ReadPolicy], rows: &[Row], principals: &[Principal]) {
    let world = World::new();
    for (name, policy) in AGENTS.iter().zip(policies) {
        world.agent(name, policy).await;
    }
    let mut ids: Vec<MemoryId> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let draft = Draft {
            content: format!("port number {i}"),
            who: Some(USERS[row.who].to_owned()),
            place: Place {
                project: PROJECTS[row.project].to_owned(),
                visibility: row.visibility,
                ..Place::default()
            },
            hints: vec![format!("which port is number {i}?")],
            ..Draft::default()
        };
        ids.push(world.keep(AGENTS[row.agent], draft).await);
    }
    world.embed().await;
    for principal in principals {
        let projects = principal
            .projects
            .as_ref()
            .map(|list| list.iter().map(|project| PROJECTS[*project].to_owned()).collect());
        let user = principal.user.map(|user| USERS[user].to_owned());
        let scope = AgentScope::granted(AgentId::from(AGENTS[principal.agent]), projects, user)
            .narrowed(principal.narrowing.clone());
        let mut expected: Vec<&MemoryId> = Vec::new();
        for (row, id) in rows.iter().zip(&ids) {
            if may_see(policies, principal, row) {
                expected.push(id);
            }
        }
        expected.sort();
        for channels in [Channels::All, Channels::Text, Channels::Semantic] {
            let request = Request { limit: 100, channels, explain: true, ..Request::new("port number") };
            let outcome = world.ask_as(&scope, &request).await;
            let mut found: Vec<&MemoryId> = outcome.hits.iter().map(|hit| &hit.memory.id).collect();
            found.sort();
            assert_eq!(found, expected, "{principal:?} by {channels:?}");
            let explain = outcome.explain.as_ref().expect("explained");
            assert!(explain.channels.iter().all(|channel| channel.candidates <= expected.len()));
            let dropped = explain.stages.iter().flat_map(|stage| &stage.dropped);
            assert_eq!(dropped.count(), 0, "no row of another scope is named");
        }
        for (row, id) in rows.iter().zip(&ids) {
            let request = Request { explain_id: Some(id.to_string()), ..Request::new("zebra") };
            let target = world.ask_as(&scope, &request).await.explain.and_then(|e| e.target).expect("target");
            let known = target.reason != Some(signet_model::recall::Reason::NotFound);
            assert_eq!(known, may_see(policies, principal, row), "{principal:?} asks about {row:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_reader_gets_exactly_what_its_policy_and_credential_allow(
        policies in prop::collection::vec(policy(), 4),
        rows in prop::collection::vec(row(), 1..24),
        principals in prop::collection::vec(principal(), 1..5),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(check(&policies, &rows, &principals));
    }
}

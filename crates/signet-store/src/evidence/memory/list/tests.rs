use signet_model::memory::{Draft, Place, Visibility, forget::Force};
use signet_model::recall::Filters;
use signet_model::{AgentScope, MemoryId, ReadPolicy, Timestamp};

use super::super::test_support::{Acts, draft, person};
use super::*;
use crate::control::agents;

fn query() -> Query {
    Query {
        filters: Filters::default(),
        holding: None,
        id_prefix: None,
        shown: Shown::Listed,
        order: Order::Created,
        limit: 10,
        offset: 0,
    }
}

fn texts(acts: &Acts, query: Query) -> (Vec<String>, bool) {
    let (scope, now) = (acts.scope.clone(), acts.store.ids().now());
    let page = acts.read(move |tx| list(tx, &scope, &query, now));
    (page.rows.into_iter().map(|listed| listed.row.content).collect(), page.more)
}

fn seen(acts: &Acts, query: Query) -> Vec<String> {
    texts(acts, query).0
}

/// Three texts, oldest first, a second apart.
fn three(acts: &Acts) -> [MemoryId; 3] {
    ["one", "two", "three"].map(|text| {
        acts.store.clock.advance(1000);
        acts.say(text)
    })
}

#[test]
fn the_newest_come_first_in_pages() {
    let acts = Acts::new();
    three(&acts);
    let page = |limit, offset| texts(&acts, Query { limit, offset, ..query() });
    assert_eq!(page(2, 0), (vec!["three".to_owned(), "two".to_owned()], true));
    assert_eq!(page(2, 2), (vec!["one".to_owned()], false));
    assert_eq!(page(10, 5), (Vec::new(), false));
}

#[test]
fn rows_of_one_millisecond_have_one_order() {
    let acts = Acts::new();
    for n in 0..20 {
        acts.say(&format!("text {n}"));
    }
    let whole = seen(&acts, Query { limit: 20, ..query() });
    let paged: Vec<String> =
        (0..4).flat_map(|n| seen(&acts, Query { limit: 5, offset: n * 5, ..query() })).collect();
    assert_eq!(paged, whole);
}

#[test]
fn what_is_out_of_use_is_hidden() {
    let acts = Acts::new();
    let [one, two, three] = three(&acts);
    acts.forget(&person(), &one, Force::No).expect("is forgotten");
    acts.supersede(&person(), &two, &three).expect("is replaced");
    let archived = acts.say("archived");
    let change =
        signet_model::memory::Change { visibility: Some(Visibility::Archived), ..Default::default() };
    acts.edit(&person(), &archived, change).expect("is archived");
    assert_eq!(seen(&acts, query()), ["three"]);
    assert_eq!(seen(&acts, Query { shown: Shown::Bin, ..query() }), ["one"]);
    acts.store.clock.advance_days(31);
    assert_eq!(seen(&acts, Query { shown: Shown::Bin, ..query() }), Vec::<String>::new());
}

#[test]
fn filters_and_orders_do_what_they_say() {
    let acts = Acts::new();
    let low = acts.remember(Draft {
        kind: Some("rule".to_owned()),
        tags: Some(vec!["a".to_owned(), "b".to_owned()]),
        who: Some("ana".to_owned()),
        importance: Some(0.1),
        place: Place { project: "p".to_owned(), scope: "s".to_owned(), ..Place::default() },
        source: signet_model::memory::Source { kind: Some("chat".to_owned()), ..Default::default() },
        ..draft("100% low_key")
    });
    acts.store.clock.advance(1000);
    let high = acts.remember(Draft { importance: Some(1.0), pinned: Some(true), ..draft("High up") });
    let both = vec![high.content.clone(), low.content.clone()];
    assert_eq!(seen(&acts, query()), both, "a filter that hides all would pass below");
    let text = |text: &str| Some(text.to_owned());
    for filters in [
        Filters { project: text("p"), ..Filters::default() },
        Filters { scope: text("s"), ..Filters::default() },
        Filters { kind: text("rule"), ..Filters::default() },
        Filters { tags: vec!["a".to_owned(), "b".to_owned()], ..Filters::default() },
        Filters { who: text("ana"), ..Filters::default() },
        Filters { pinned: Some(false), ..Filters::default() },
        Filters { source_type: text("chat"), ..Filters::default() },
        Filters { until: Some(acts.store.ids().now()), ..Filters::default() },
    ] {
        assert_eq!(
            seen(&acts, Query { filters: filters.clone(), ..query() }),
            ["100% low_key"],
            "{filters:?}"
        );
    }
    for filters in [
        Filters { importance_min: Some(0.5), ..Filters::default() },
        Filters { since: Some(acts.store.ids().now()), ..Filters::default() },
    ] {
        assert_eq!(seen(&acts, Query { filters: filters.clone(), ..query() }), ["High up"], "{filters:?}");
    }
    for (holding, found) in [("0% LOW_", "100% low_key"), ("high", "High up")] {
        assert_eq!(seen(&acts, Query { holding: text(holding), ..query() }), [found]);
    }
    let beginning = low.id.as_str()[..24].to_owned();
    assert_eq!(seen(&acts, Query { id_prefix: Some(low.id.to_string()), ..query() }), ["100% low_key"]);
    assert!(
        seen(&acts, Query { id_prefix: Some(beginning), ..query() }).contains(&"100% low_key".to_owned())
    );
    assert!(seen(&acts, Query { id_prefix: text("zz"), ..query() }).is_empty());
    assert_eq!(seen(&acts, Query { order: Order::Importance, ..query() }), both);
    acts.store.clock.advance(1000);
    let change = signet_model::memory::Change { importance: Some(0.2), ..Default::default() };
    acts.edit(&person(), &low.id, change).expect("is changed");
    assert_eq!(seen(&acts, Query { order: Order::Updated, ..query() })[0], "100% low_key");
}

#[test]
fn a_restricted_credential_sees_only_its_rows() {
    let mut acts = Acts::new();
    let at = |project: &str, who: &str| Draft {
        place: Place { project: project.to_owned(), ..Place::default() },
        who: Some(who.to_owned()),
        ..draft(&format!("{project} {who}"))
    };
    for (project, who) in [("p", "ana"), ("p", "ben"), ("q", "ana")] {
        acts.remember(at(project, who));
    }
    acts.scope = AgentScope::granted("default".into(), Some(vec!["p".to_owned()]), Some("ana".to_owned()));
    assert_eq!(seen(&acts, query()), ["p ana"]);
}

#[test]
fn the_readers_policy_decides_whose_rows_are_listed() {
    let mut acts = Acts::new();
    let policies = [
        ("iso", ReadPolicy::Isolated),
        ("sha", ReadPolicy::Shared),
        ("gr1", ReadPolicy::Group("g".to_owned())),
        ("gr2", ReadPolicy::Group("g".to_owned())),
        ("gr3", ReadPolicy::Group("h".to_owned())),
    ];
    for (name, policy) in policies {
        acts.write(move |tx| agents::create(tx, &name.into(), &policy)).expect("is known");
        acts.scope = AgentScope::granted(name.into(), None, None);
        for visibility in [Visibility::Global, Visibility::Private] {
            let text = format!("{name} {}", visibility.as_str());
            acts.store.clock.advance(1000);
            acts.remember(Draft { place: Place { visibility, ..Place::default() }, ..draft(&text) });
        }
    }
    for (reader, expected) in [
        ("iso", vec!["iso private", "iso global"]),
        ("sha", vec!["gr3 global", "gr2 global", "gr1 global", "sha private", "sha global"]),
        ("gr1", vec!["gr2 global", "gr1 private", "gr1 global"]),
        ("gr3", vec!["gr3 private", "gr3 global"]),
    ] {
        acts.scope = AgentScope::granted(reader.into(), None, None);
        assert_eq!(seen(&acts, query()), expected, "{reader}");
        let (first, more) = texts(&acts, Query { limit: 1, offset: 1, ..query() });
        assert_eq!((first[0].as_str(), more), (expected[1], expected.len() > 2), "{reader}");
    }
}

#[test]
fn most_used_and_due_rows_have_their_own_lists() {
    let acts = Acts::new();
    let [one, two, _] = three(&acts);
    let agent = acts.scope.agent().clone();
    let used = vec![(agent.clone(), two.clone()), (agent.clone(), one.clone()), (agent, two.clone())];
    acts.write(move |tx| super::super::access::record_access(tx, &used)).expect("counts");
    let scope = acts.scope.clone();
    let page = acts.read(move |tx| most_used(tx, &scope, 5));
    assert_eq!(
        page.rows.iter().map(|listed| listed.row.content.as_str()).collect::<Vec<_>>(),
        ["two", "one"]
    );

    let due = |at: i64| signet_model::memory::Times {
        review_after: Some(Timestamp::from_millis(at)),
        ..Default::default()
    };
    let now = acts.store.ids().now();
    for (text, at) in [("late", 2), ("later", 3), ("first", 1), ("not yet", now.millis() + 1)] {
        acts.remember(Draft { times: due(at), ..draft(text) });
    }
    let scope = acts.scope.clone();
    let page = acts.read(move |tx| review_queue(tx, &scope, 2, now));
    let texts: Vec<&str> = page.rows.iter().map(|listed| listed.row.content.as_str()).collect();
    assert_eq!((texts, page.more), (vec!["first", "late"], true));
}

#[test]
fn the_newest_page_is_read_by_its_index() {
    let acts = Acts::new();
    let condition = Condition::own(&acts.scope, &Filters::default(), Shown::Listed);
    let sql =
        format!("SELECT m.rid FROM memories AS m WHERE {} ORDER BY {}", condition.sql, Order::Created.sql());
    let plan = crate::testing::plan::steps(&acts.store.raw(), &sql);
    assert!(plan.iter().any(|step| step.contains("ix_memories_created")), "{plan:?}");
    assert!(!plan.iter().any(|step| step == "USE TEMP B-TREE FOR ORDER BY"), "{plan:?}");
}

/// Everything that the read paths show a reader, as texts.
fn everything(acts: &Acts, all: &[MemoryId]) -> Vec<String> {
    let (scope, now, ids) = (acts.scope.clone(), acts.store.ids().now(), all.to_vec());
    acts.read(move |tx| {
        let mut seen = Vec::new();
        let whole = Query { limit: 500, ..query() };
        seen.extend(list(tx, &scope, &whole, now)?.rows);
        seen.extend(most_used(tx, &scope, 200)?.rows);
        seen.extend(review_queue(tx, &scope, 200, now)?.rows);
        for id in &ids {
            let bin = super::super::get::Bin::Open;
            // Another project of the same agent is refused, not shown.
            seen.extend(super::super::get::get(tx, &scope, id, (bin, now)).unwrap_or_default());
        }
        let mut texts: Vec<String> = seen.into_iter().map(|listed| listed.row.content).collect();
        let selector = signet_model::memory::forget::Selector { ids, limit: 500, ..Default::default() };
        let preview = super::super::batch_forget::select(tx, &scope, &selector)?;
        texts.extend(preview.candidates.into_iter().map(|candidate| candidate.excerpt));
        Ok(texts)
    })
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]

    /// INV-8: no read path shows a row outside the scope, whatever the rows and the reader are.
    #[test]
    fn no_read_path_shows_a_row_outside_the_scope(
        rows in proptest::collection::vec((0..3_usize, 0..2_usize, 0..2_usize, 0..2_usize), 1..14),
        policies in proptest::collection::vec(0..3_usize, 3),
        (reader, projects, user) in (0..3_usize, 0..3_usize, 0..3_usize),
    ) {
        let agents = ["alpha", "beta", "gamma"];
        let policy = |n: usize| match n {
            0 => ReadPolicy::Isolated,
            1 => ReadPolicy::Shared,
            _ => ReadPolicy::Group("g".to_owned()),
        };
        let mut acts = Acts::new();
        for (name, n) in agents.into_iter().zip(&policies) {
            let policy = policy(*n);
            acts.write(move |tx| agents::create(tx, &name.into(), &policy)).expect("is known");
        }
        let mut ids = Vec::new();
        for (n, (agent, project, who, visibility)) in rows.iter().enumerate() {
            acts.scope = AgentScope::granted(agents[*agent].into(), None, None);
            let visibility = [Visibility::Global, Visibility::Private][*visibility];
            let (project, who) = (["p", "q"][*project], ["ana", "ben"][*who]);
            let text = format!("{n} {} {project} {who} {}", agents[*agent], visibility.as_str());
            let place = Place { project: project.to_owned(), visibility, ..Place::default() };
            let times = signet_model::memory::Times {
                review_after: Some(Timestamp::from_millis(0)),
                ..Default::default()
            };
            let who = Some(who.to_owned());
            ids.push(acts.remember(Draft { place, who, times, ..draft(&text) }).id);
        }
        let projects = [None, Some(vec!["p".to_owned()]), Some(Vec::new())][projects].clone();
        let user = [None, Some("ana".to_owned()), Some("ben".to_owned())][user].clone();
        acts.scope = AgentScope::granted(agents[reader].into(), projects.clone(), user.clone());
        let reads = |owner: usize, visibility: &str| match (policies[reader], policies[owner]) {
            _ if owner == reader => true,
            (1, 1 | 2) | (2, 2) => visibility == "global",
            _ => false,
        };
        for text in everything(&acts, &ids) {
            let words: Vec<&str> = text.split(' ').collect();
            let owner = agents.iter().position(|name| *name == words[1]).expect("an agent");
            proptest::prop_assert!(reads(owner, words[4]), "{text:?} is not {}'s to read", agents[reader]);
            proptest::prop_assert!(projects.as_ref().is_none_or(|p| p.iter().any(|name| name == words[2])), "{text:?}");
            proptest::prop_assert!(user.as_ref().is_none_or(|name| name == words[3]), "{text:?}");
        }
        let own = rows.iter().any(|(agent, ..)| *agent == reader);
        if own && projects.is_none() && user.is_none() {
            proptest::prop_assert!(!everything(&acts, &ids).is_empty(), "a silent reader would pass");
        }
    }
}

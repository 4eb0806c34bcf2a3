use signet_model::memory::outcome::{Deduped, Remembered, RememberedGroup};
use signet_model::memory::{Draft, Place, Source, Times, Visibility, forget::Force};
use signet_model::{AgentScope, Code, Detail, MemoryId, Timestamp};

use super::super::test_support::{Acts, code, draft, machine, person, refusal};

fn place(project: &str, visibility: Visibility) -> Place {
    Place { project: project.to_owned(), visibility, ..Place::default() }
}

fn source(id: &str) -> Source {
    Source { id: Some(id.to_owned()), ..Source::default() }
}

fn group(acts: &Acts, draft: Draft) -> RememberedGroup {
    match acts.try_remember(&person(), draft).expect("is stored") {
        Remembered::Group(group) => group,
        Remembered::One(one) => panic!("was not split: {one:?}"),
    }
}

fn long() -> String {
    (0..60).map(|n| format!("Sentence number {n} about the garden.")).collect::<Vec<_>>().join("\n")
}

#[test]
fn one_call_leaves_row_history_safety_tags_hints_index_and_work() {
    let acts = Acts::new();
    let one = acts.remember(Draft {
        tags: Some(vec!["tea".to_owned(), "home".to_owned()]),
        hints: vec!["What does Ana drink?".to_owned()],
        reason: Some("told".to_owned()),
        ..draft("Ana prefers green tea")
    });
    let row = acts.row(&one.id).expect("is stored");
    assert_eq!(
        (row.content.as_str(), row.kind.as_str(), row.tags.as_str()),
        ("Ana prefers green tea", "preference", "tea,home")
    );
    assert_eq!((row.rid >> 40, row.version, row.updated_by.as_str()), (1, 1, "ana"));
    assert_eq!(
        (row.who.as_deref(), row.why.as_deref(), row.importance),
        (Some("daemon"), Some("explicit"), 0.8)
    );
    let events = acts.events(&one.id);
    assert_eq!(events.len(), 1);
    assert_eq!(
        (events[0].event.as_str(), events[0].new_content.as_deref()),
        ("created", Some("Ana prefers green tea"))
    );
    assert_eq!(events[0].reason.as_deref(), Some("told"));
    assert_eq!(one.hints_written, 1);
    for (count, sql) in [
        (1, "SELECT count(*) FROM memory_content_safety WHERE status = 'clean' AND context_eligible = 1"),
        (2, "SELECT count(*) FROM memory_tags"),
        (1, "SELECT count(*) FROM memory_hints WHERE origin = 'supplied'"),
        (1, "SELECT count(*) FROM embedding_work WHERE state = 'pending'"),
        (1, "SELECT value FROM counters WHERE name = 'memories.live'"),
    ] {
        assert_eq!(acts.store.number(sql), count, "{sql}");
    }
    assert_eq!((acts.indexed("green"), acts.indexed("drink")), (1, 1));
    assert!(!one.embedded);
}

#[test]
fn every_field_of_a_draft_reaches_its_column() {
    let acts = Acts::new();
    let at = |n: i64| Some(Timestamp::from_millis(1_700_000_000_000 + n));
    let one = acts.remember(Draft {
        who: Some("ben".to_owned()),
        kind: Some("rationale".to_owned()),
        importance: Some(0.3),
        pinned: Some(true),
        place: Place { project: "/t/app".to_owned(), scope: "s".to_owned(), visibility: Visibility::Private },
        source: Source {
            kind: Some("chat".to_owned()),
            id: Some("c1".to_owned()),
            path: Some("a/b.md".to_owned()),
        },
        times: Times {
            created_at: at(1),
            occurred_at: at(2),
            observed_at: at(3),
            source_created_at: at(4),
            valid_from: at(5),
            valid_until: at(6),
            review_after: at(7),
            assumed_zone: Some("Asia/Tokyo".to_owned()),
            day_precision: vec!["createdAt"],
        },
        idempotency_key: Some("k1".to_owned()),
        runtime_path: Some("plugin".to_owned()),
        session_key: Some("sk".to_owned()),
        session_id: Some("si".to_owned()),
        metadata: Some("{\"a\":1}".to_owned()),
        structured: Some("{\"entities\":[]}".to_owned()),
        repaired: vec!["who"],
        ..draft("because it is small")
    });
    let row = acts.row(&one.id).expect("is stored");
    let stamp = |n: i64| Some(Timestamp::from_millis(1_700_000_000_000 + n).to_string());
    assert_eq!(
        (row.who, row.kind, row.importance, row.pinned, row.place),
        (
            Some("ben".to_owned()),
            "rationale".to_owned(),
            0.3,
            true,
            Place { project: "/t/app".to_owned(), scope: "s".to_owned(), visibility: Visibility::Private }
        )
    );
    assert_eq!(
        (row.source_type.as_str(), row.source_id.as_str(), row.source_path.as_deref()),
        ("chat", "c1", Some("a/b.md"))
    );
    assert_eq!(
        [
            Some(row.created_at),
            row.occurred_at,
            row.observed_at,
            row.source_created_at,
            row.valid_from,
            row.valid_until,
            row.review_after
        ],
        [1, 2, 3, 4, 5, 6, 7].map(stamp)
    );
    assert_eq!((row.idempotency_key.as_deref(), row.runtime_path.as_deref()), (Some("k1"), Some("plugin")));
    assert_eq!((row.session_key.as_deref(), row.session_id.as_deref()), (Some("sk"), Some("si")));
    assert_eq!(
        row.evidence_meta,
        "{\"metadata\":{\"a\":1},\"structured\":{\"entities\":[]},\"assumedZone\":\"Asia/Tokyo\",\"precision\":{\"createdAt\":\"day\"},\"repaired\":[\"who\"]}"
    );
}

#[test]
fn equal_text_in_two_projects_visibilities_and_agents_is_eight_rows() {
    let mut acts = Acts::new();
    let mut ids = std::collections::BTreeSet::new();
    for agent in ["default", "mira"] {
        acts.scope = AgentScope::granted(agent.into(), None, None);
        for project in ["/t/acme/app", "/t/other/app"] {
            for visibility in [Visibility::Global, Visibility::Private] {
                for _ in 0..2 {
                    ids.insert(
                        acts.remember(Draft { place: place(project, visibility), ..draft("Same text") }).id,
                    );
                }
            }
        }
    }
    assert_eq!((ids.len(), acts.store.number("SELECT count(*) FROM memories")), (8, 8));
}

#[test]
fn a_repeat_gives_the_stored_row_with_its_real_state() {
    let acts = Acts::new();
    let first = acts.remember(Draft {
        tags: Some(vec!["a".to_owned()]),
        importance: Some(0.4),
        ..draft("Deploys run on Friday")
    });
    let again = acts.remember(Draft { importance: Some(0.4), ..draft("deploys  run on FRIDAY!!") });
    assert_eq!((&again.id, again.deduped), (&first.id, Some(Deduped::SameText)));
    assert_eq!(
        (again.content.as_str(), again.tags, again.embedded),
        ("Deploys run on Friday", vec!["a".to_owned()], false)
    );
    assert_eq!(acts.row(&first.id).map(|row| row.version), Some(1), "nothing new, nothing written");
    acts.embed(&first.id);
    assert!(acts.remember(Draft { importance: Some(0.4), ..draft("deploys run on friday") }).embedded);
}

#[test]
fn a_repeat_adds_tags_and_hints_and_raises_importance_but_never_lowers() {
    let acts = Acts::new();
    let hint = |text: &str| vec![text.to_owned()];
    let tags = |tag: &str| Some(vec![tag.to_owned()]);
    let id = acts.remember(Draft { tags: tags("a"), importance: Some(0.5), ..draft("x y z") }).id;
    let more = acts.remember(Draft {
        tags: tags("b"),
        importance: Some(0.9),
        hints: hint("which letters?"),
        ..draft("x y z")
    });
    assert_eq!((more.tags.join(","), more.importance, more.hints_written), ("a,b".to_owned(), 0.9, 1));
    let less = acts.remember(Draft {
        tags: tags("a"),
        importance: Some(0.1),
        hints: hint("which letters?"),
        ..draft("x y z")
    });
    assert_eq!((less.tags.join(","), less.importance, less.hints_written), ("a,b".to_owned(), 0.9, 0));
    let events = acts.events(&id);
    assert_eq!(events.iter().map(|e| e.event.as_str()).collect::<Vec<_>>(), ["created", "updated"]);
    assert_eq!(
        events[1].metadata,
        Some(serde_json::json!({ "changedFields": ["tags", "importance", "hints"] }))
    );
    assert_eq!((events[1].old_content.as_ref(), events[1].new_content.as_ref()), (None, None));
}

#[test]
fn a_machine_adds_nothing_to_a_pinned_row() {
    let acts = Acts::new();
    let id = acts.remember(Draft { pinned: Some(true), ..draft("never touch") }).id;
    let again =
        acts.try_remember(&machine(), Draft { tags: Some(vec!["x".to_owned()]), ..draft("never touch") });
    assert!(matches!(again, Ok(Remembered::One(one)) if one.id == id && one.tags.is_empty()));
    assert_eq!(acts.row(&id).map(|row| (row.version, row.tags)), Some((1, String::new())));
}

#[test]
fn a_known_source_with_other_text_says_so_and_stores_nothing() {
    let acts = Acts::new();
    let first = acts.remember(Draft { source: source("s1"), ..draft("old words") });
    let other =
        acts.remember(Draft { source: source("s1"), tags: Some(vec!["n".to_owned()]), ..draft("new words") });
    assert_eq!(
        (&other.id, other.deduped, other.content.as_str()),
        (&first.id, Some(Deduped::OtherText), "old words")
    );
    assert_eq!(other.tags, Vec::<String>::new());
    assert_eq!(acts.store.number("SELECT count(*) FROM memories"), 1);
    let same = acts.remember(Draft { source: source("s1"), ..draft("OLD words.") });
    assert_eq!((same.id, same.deduped), (first.id.clone(), Some(Deduped::SameText)));
    let new = acts.remember(Draft {
        source: source("s1"),
        supersedes: Some(first.id.clone()),
        ..draft("new words")
    });
    assert_eq!((new.superseded.as_ref(), new.deduped), (Some(&first.id), None));
    assert_eq!(acts.row(&first.id).and_then(|row| row.superseded_by), Some(new.id));
}

#[test]
fn sources_are_asked_before_keys_and_keys_before_hashes() {
    let acts = Acts::new();
    let by_source = acts.remember(Draft { source: source("s1"), ..draft("one") }).id;
    let by_key = acts.remember(Draft { idempotency_key: Some("k".to_owned()), ..draft("two") }).id;
    let by_hash = acts.say("three");
    let all = Draft { source: source("s1"), idempotency_key: Some("k".to_owned()), ..draft("three") };
    assert_eq!(acts.remember(all.clone()).id, by_source);
    let key = Draft { source: source("s2"), ..all };
    let error = refusal(acts.try_remember(&person(), key.clone()));
    assert_eq!(error.code, Code::IdempotencyMismatch);
    assert_eq!(error.details, [("existingId", Detail::Text(by_key.to_string()))]);
    assert_eq!(acts.remember(Draft { idempotency_key: Some("k2".to_owned()), ..key }).id, by_hash);
}

#[test]
fn a_key_belongs_to_its_agent_and_is_free_after_a_forget() {
    let mut acts = Acts::new();
    let keyed = |text: &str| Draft { idempotency_key: Some("k".to_owned()), ..draft(text) };
    let id = acts.remember(keyed("one")).id;
    assert_eq!(acts.remember(keyed("One.")).id, id);
    acts.scope = AgentScope::granted("mira".into(), None, None);
    assert_ne!(acts.remember(keyed("two")).id, id);
    acts.scope = super::super::test_support::scope();
    acts.forget(&person(), &id, Force::No).expect("is forgotten");
    assert_ne!(acts.remember(keyed("three")).id, id);
}

#[test]
fn a_replaced_fact_may_be_stated_again() {
    let acts = Acts::new();
    let old = acts.say("the port is 80");
    let new = acts.remember(Draft { supersedes: Some(old.clone()), ..draft("the port is 81") }).id;
    let again = acts.remember(Draft { supersedes: Some(new.clone()), ..draft("the port is 80") });
    assert_ne!(again.id, old);
    assert_eq!((again.deduped, acts.row(&new).and_then(|row| row.superseded_by)), (None, Some(again.id)));
}

#[test]
fn replacing_by_a_text_that_is_there_links_the_two() {
    let acts = Acts::new();
    let (old, known) = (acts.say("a"), acts.say("b"));
    let answer = acts.remember(Draft { supersedes: Some(old.clone()), ..draft("b") });
    assert_eq!((&answer.id, answer.superseded.as_ref()), (&known, Some(&old)));
    assert_eq!(acts.row(&old).and_then(|row| row.superseded_by), Some(known));
}

#[test]
fn what_cannot_be_replaced_stores_nothing() {
    let acts = Acts::new();
    let target = acts.say("old");
    let before = acts.store.dump();
    let missing = Draft { supersedes: Some(MemoryId::from("nobody")), ..draft("new") };
    assert_eq!(code(acts.try_remember(&person(), missing)), Code::NotFound);
    let elsewhere = Draft { supersedes: Some(target), place: place("", Visibility::Private), ..draft("new") };
    assert_eq!(code(acts.try_remember(&person(), elsewhere)), Code::ScopeMismatch);
    assert_eq!(acts.store.dump(), before);
}

#[test]
fn a_long_text_is_rows_that_joined_are_the_text() {
    let acts = Acts::new();
    let whole = Draft {
        idempotency_key: Some("k".to_owned()),
        source: source("file-1"),
        hints: vec!["what of the garden?".to_owned()],
        ..draft(&long())
    };
    let group = group(&acts, whole.clone());
    let rows: Vec<_> = group.ids.iter().map(|id| acts.row(id).expect("is stored")).collect();
    assert!(rows.len() > 2);
    assert_eq!(rows.iter().map(|row| row.content.as_str()).collect::<String>(), long());
    for (n, row) in rows.iter().enumerate() {
        assert_eq!((row.source_type.as_str(), &row.source_id), ("chunk", &group.group));
        assert_eq!(
            (row.group_index, row.group_count),
            (i64::try_from(n).ok(), i64::try_from(rows.len()).ok())
        );
        assert_eq!(row.idempotency_key, Some(format!("k:chunk:{n}")));
        assert_eq!(row.evidence_meta, "{\"source\":{\"type\":null,\"id\":\"file-1\"}}");
    }
    assert_eq!(group.hints_written, 1);
    let again = self::group(&acts, whole);
    assert_eq!((again.ids, again.deduped), (group.ids, true));
}

#[test]
fn a_key_does_not_serve_a_short_and_a_long_text() {
    let acts = Acts::new();
    let keyed = |text: &str| Draft { idempotency_key: Some("k".to_owned()), ..draft(text) };
    group(&acts, keyed(&long()));
    assert_eq!(code(acts.try_remember(&person(), keyed("short"))), Code::IdempotencyMismatch);
}

#[test]
fn a_forgotten_text_comes_back_by_a_person_only() {
    let acts = Acts::new();
    let id = acts.say("the old secret plan");
    acts.forget(&person(), &id, Force::No).expect("is forgotten");
    assert_eq!(code(acts.try_remember(&machine(), draft("The OLD secret plan!"))), Code::Forgotten);
    let back = acts.remember(draft("the old secret plan"));
    assert_ne!(back.id, id);
    assert_eq!(acts.events(&back.id)[0].reason.as_deref(), Some("forgotten_text_restored"));
    acts.try_remember(&machine(), draft("the old secret plan")).expect("the tombstone is gone");
}

#[test]
fn a_forgotten_slice_bars_a_machine_from_the_whole_text() {
    let acts = Acts::new();
    let first = group(&acts, draft(&long())).ids[0].clone();
    acts.forget(&person(), &first, Force::No).expect("is forgotten");
    assert_eq!(code(acts.try_remember(&machine(), draft(&long()))), Code::Forgotten);
}

#[test]
fn a_credential_stores_only_in_its_projects_and_as_its_user() {
    let mut acts = Acts::new();
    acts.scope = AgentScope::granted("default".into(), Some(vec!["p1".to_owned()]), Some("ana".to_owned()));
    let at = |project: &str, who: &str| Draft {
        place: place(project, Visibility::Global),
        who: Some(who.to_owned()),
        ..draft("x")
    };
    let error = refusal(acts.try_remember(&person(), at("p2", "ana")));
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::ScopeRestricted, "scope restricted to project 'p1'")
    );
    let error = refusal(acts.try_remember(&person(), at("p1", "ben")));
    assert_eq!(error.message, "scope restricted to user 'ana'");
    acts.remember(at("p1", "ana"));
}

#[test]
fn a_source_id_does_not_show_another_users_text() {
    let mut acts = Acts::new();
    acts.remember(Draft { who: Some("ben".to_owned()), source: source("s"), ..draft("ben's words") });
    acts.scope = AgentScope::granted("default".into(), None, Some("ana".to_owned()));
    let ask = Draft { who: Some("ana".to_owned()), source: source("s"), ..draft("anything") };
    assert_eq!(code(acts.try_remember(&person(), ask)), Code::ScopeRestricted);
}

#[test]
fn texts_with_nul_and_half_surrogates_are_found() {
    let acts = Acts::new();
    let one = acts.remember(draft("pelican\0 sings"));
    assert_eq!((one.content.as_str(), one.repaired), ("pelican\u{fffd} sings", vec!["content".to_owned()]));
    assert_eq!(acts.indexed("pelican"), 1);
}

#[test]
fn writers_that_race_end_in_one_row() {
    let acts = Acts::new();
    let ids: Vec<_> = std::thread::scope(|threads| {
        let handles: Vec<_> = (0..8).map(|_| threads.spawn(|| acts.say("who was first"))).collect();
        handles.into_iter().map(|handle| handle.join().expect("ends")).collect()
    });
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
    assert_eq!(acts.store.number("SELECT count(*) FROM memories"), 1);
}

#[test]
fn the_look_ups_use_their_indexes() {
    let acts = Acts::new();
    let connection = acts.store.raw();
    for (condition, index) in super::dedupe::LOOK_UPS {
        let sql = format!("SELECT m.rid FROM memories AS m WHERE {condition}");
        let plan = crate::testing::plan::steps(&connection, &sql);
        assert!(plan.iter().any(|step| step.contains(index)), "{index}: {plan:?}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(12))]
    #[test]
    fn any_words_in_any_order_leave_one_row_a_text(words in proptest::collection::vec("[ab ]{1,3}", 1..12)) {
        let acts = Acts::new();
        let mut hashes = std::collections::BTreeSet::new();
        for word in &words {
            let text = format!("w {word}");
            acts.say(&text);
            hashes.insert(signet_model::text::normal::content_hash(&signet_model::text::normal::storage_text(&text)));
        }
        let rows = acts.store.number("SELECT count(*) FROM memories");
        proptest::prop_assert_eq!(rows, i64::try_from(hashes.len()).unwrap());
    }
}

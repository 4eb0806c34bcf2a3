use std::sync::mpsc;

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, proptest};
use proptest::sample::select;
use serde_json::{Value, json};
use signet_model::Code;

use super::*;
use crate::control::meta;
use crate::fault::Action;
use crate::testing::TestStore;

type Answer = oneshot::Receiver<Result<()>>;

/// Holds the writer thread inside a closure until the sender is dropped, so that what is queued in the
/// meantime shares its transaction.
struct Held {
    answer: Answer,
    release: mpsc::Sender<()>,
}

fn hold(writer: &Writer) -> Held {
    let (release, until) = mpsc::channel::<()>();
    let (inside, entered) = mpsc::channel();
    let answer = writer
        .enqueue(move |_| {
            inside.send(()).unwrap();
            // Ends with an error once the sender is gone.
            let _ = until.recv();
            Ok(())
        })
        .unwrap();
    entered.recv().unwrap();
    Held { answer, release }
}

impl Held {
    fn release(self) -> Result<()> {
        drop(self.release);
        self.answer.blocking_recv().unwrap()
    }
}

fn set(writer: &Writer, key: String) -> Answer {
    writer.enqueue(move |tx| meta::set(tx, &key, &json!(1))).unwrap()
}

/// Breaks the `NOT NULL` of a column.
fn fail(writer: &Writer) -> Answer {
    writer
        .enqueue(|tx| {
            meta::set(tx, "half", &json!(1))?;
            tx.execute("INSERT INTO daemon_meta (key, value) VALUES ('x', NULL)", [])?;
            Ok(())
        })
        .unwrap()
}

fn code(answer: Answer) -> Option<Code> {
    answer.blocking_recv().unwrap().err().map(|failure| failure.code())
}

fn find(store: &TestStore, key: &str) -> Option<Value> {
    let key = key.to_owned();
    store.reader().read_blocking(move |tx| meta::find(tx, &key)).unwrap()
}

fn keys(store: &TestStore, like: &str) -> i64 {
    store.number(&format!("SELECT COUNT(*) FROM daemon_meta WHERE key LIKE '{like}'"))
}

#[test]
fn a_failing_closure_takes_only_its_own_changes_back() {
    let store = TestStore::new();
    let writer = store.writer();
    let held = hold(&writer);
    let answers: Vec<(bool, Answer)> = (1..=256)
        .map(|n| if n % 7 == 0 { (false, fail(&writer)) } else { (true, set(&writer, format!("row {n}"))) })
        .collect();
    held.release().unwrap();
    for (good, answer) in answers {
        assert_eq!(code(answer), (!good).then_some(Code::Internal));
    }
    assert_eq!(keys(&store, "row %"), 256 - 36);
    assert_eq!(find(&store, "half"), None);
}

#[test]
fn a_panicking_closure_takes_only_its_own_changes_back() {
    let store = TestStore::new();
    let writer = store.writer();
    let held = hold(&writer);
    let before = set(&writer, "before".to_owned());
    let panics = writer
        .enqueue(|tx| {
            meta::set(tx, "half", &json!(1))?;
            panic!("armed by the test")
        })
        .unwrap();
    let after = set(&writer, "after".to_owned());
    held.release().unwrap();
    let failure: Result<()> = panics.blocking_recv().unwrap();
    let told = Error::from(failure.unwrap_err());
    assert_eq!(told.internal.as_deref(), Some("a store closure panicked: armed by the test"));
    assert_eq!((code(before), code(after)), (None, None));
    assert_eq!((find(&store, "before"), find(&store, "half")), (Some(json!(1)), None));
    assert_eq!(find(&store, "after"), Some(json!(1)));
}

#[test]
fn when_the_transaction_is_lost_everybody_hears_why_and_nothing_is_stored() {
    for (point, action, expected) in [
        (Point::BeforeCommit, Action::DiskFull, Code::DiskFull),
        (Point::BeforeCommit, Action::Error, Code::Internal),
        (Point::BeforeCommit, Action::Panic, Code::Internal),
        (Point::MidGroup, Action::DiskFull, Code::DiskFull),
    ] {
        let store = TestStore::new();
        let writer = store.writer();
        let held = hold(&writer);
        let answers: Vec<Answer> = (0..20).map(|n| set(&writer, format!("row {n}"))).collect();
        // The held closure is the first of the group: with it, three closures go before the point between two.
        store.faults.arm(point, action, if point == Point::MidGroup { 2 } else { 0 });
        assert_eq!(held.release().unwrap_err().code(), expected);
        let told: Vec<_> = answers.into_iter().map(code).collect();
        // Those that had not joined yet are of the next group, which is sound.
        let lost = told.iter().filter(|answer| **answer == Some(expected)).count() as i64;
        assert!(lost > 0, "{told:?}");
        assert!(told.iter().all(|answer| *answer == Some(expected) || answer.is_none()), "{told:?}");
        assert_eq!(keys(&store, "row %"), 20 - lost);
        assert_eq!(code(set(&writer, "later".to_owned())), None);
    }
}

#[test]
fn a_fault_after_the_commit_changes_no_answer() {
    for action in [Action::Error, Action::Panic] {
        let store = TestStore::new();
        store.faults.arm(Point::AfterCommit, action, 0);
        assert_eq!(code(set(&store.writer(), "kept".to_owned())), None);
        assert_eq!(find(&store, "kept"), Some(json!(1)));
    }
}

/// Lets the file grow by at most `pages`, as a disk does that is nearly full; 0 lifts the limit.
fn limit_growth(writer: &Writer, pages: i64) {
    writer
        .write_blocking(move |tx| {
            let now: i64 = tx.prepare("PRAGMA page_count")?.query_row([], |row| row.get(0))?;
            let limit = if pages == 0 { 1_000_000 } else { now + pages };
            let set = format!("PRAGMA max_page_count={limit}");
            tx.prepare(&set)?.query_row([], |_| Ok(()))?;
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_full_disk_acknowledges_nothing_that_is_not_stored_and_writes_go_on_with_space() {
    let store = TestStore::new();
    let writer = store.writer();
    limit_growth(&writer, 20);
    let held = hold(&writer);
    let big = "x".repeat(20_000);
    let answers: Vec<Answer> = (0..10)
        .map(|n| {
            let big = big.clone();
            writer.enqueue(move |tx| meta::set(tx, &format!("row {n}"), &json!(big))).unwrap()
        })
        .collect();
    let mut told = vec![held.release().err().map(|failure| failure.code())];
    told.extend(answers.into_iter().map(code));
    assert!(told.contains(&Some(Code::DiskFull)), "{told:?}");
    assert!(told.iter().all(|answer| matches!(answer, None | Some(Code::DiskFull))), "{told:?}");
    for (n, answer) in told[1..].iter().enumerate() {
        assert_eq!(find(&store, &format!("row {n}")).is_some(), answer.is_none(), "row {n} of {told:?}");
    }

    limit_growth(&writer, 0);
    writer.write_blocking(move |tx| meta::set(tx, "later", &json!(big))).unwrap();
    assert!(find(&store, "later").is_some());
}

#[test]
fn a_full_queue_refuses_and_the_waiting_ones_are_served() {
    let store = TestStore::new();
    let writer = store.writer();
    let held = hold(&writer);
    let answers: Vec<Answer> = (0..QUEUE).map(|n| set(&writer, format!("row {n}"))).collect();
    let refused = writer.enqueue(|_| Ok(())).unwrap_err();
    assert_eq!((refused.code(), refused.kind().retryable()), (Code::Overloaded, true));
    held.release().unwrap();
    for answer in answers {
        assert_eq!(code(answer), None);
    }
    assert_eq!(keys(&store, "row %"), QUEUE as i64);
}

#[test]
fn upkeep_runs_after_what_somebody_waits_for() {
    let store = TestStore::new();
    let (writer, upkeep) = (store.writer(), store.writer().upkeep());
    let held = hold(&writer);
    let (order, seen) = mpsc::channel();
    let mut answers = Vec::new();
    for (lane, name) in [(&upkeep, "upkeep"), (&writer, "one"), (&writer, "two")] {
        let order = order.clone();
        answers.push(
            lane.enqueue(move |_| {
                order.send(name).unwrap();
                Ok(())
            })
            .unwrap(),
        );
    }
    held.release().unwrap();
    for answer in answers {
        answer.blocking_recv().unwrap().unwrap();
    }
    drop(order);
    assert_eq!(seen.iter().collect::<Vec<_>>(), ["one", "two", "upkeep"]);
}

#[test]
fn a_stop_serves_what_waits_and_refuses_what_comes() {
    let mut store = TestStore::new();
    let writer = store.writer();
    let held = hold(&writer);
    let answers: Vec<Answer> = (0..50).map(|n| set(&writer, format!("row {n}"))).collect();
    writer.close();
    held.release().unwrap();
    for answer in answers {
        assert_eq!(code(answer), None);
    }
    store.close();
    assert_eq!(writer.write_blocking(|_| Ok(())).unwrap_err().code(), Code::ShuttingDown);
    store.reopen();
    assert_eq!(keys(&store, "row %"), 50);
}

#[test]
fn many_writers_meet_no_lock_error() {
    let store = TestStore::new();
    std::thread::scope(|scope| {
        for thread in 0..50 {
            let writer = store.writer();
            scope.spawn(move || {
                for n in 0..20 {
                    writer
                        .write_blocking(move |tx| meta::set(tx, &format!("row {thread} {n}"), &json!(n)))
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(keys(&store, "row %"), 1_000);
}

#[test]
fn a_file_that_another_program_locks_is_a_busy_store() {
    let store = TestStore::new();
    let writer = store.writer();
    writer.write_blocking(|tx| Ok(tx.prepare("PRAGMA busy_timeout=0")?.query_row([], |_| Ok(()))?)).unwrap();
    let other = store.raw();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(code(set(&writer, "row".to_owned())), Some(Code::Overloaded));
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(code(set(&writer, "row".to_owned())), None);
}

/// How a closure of the model ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Succeeds,
    Fails,
    Panics,
}

/// Runs groups of closures, each of which writes the number of its turn to a key; compares with a map.
fn check_against_a_map(groups: Vec<Vec<(u8, End)>>) {
    let store = TestStore::new();
    let writer = store.writer();
    let mut expected = std::collections::BTreeMap::new();
    for (turn, group) in groups.into_iter().enumerate() {
        let held = hold(&writer);
        let mut answers = Vec::new();
        for (key, end) in group {
            let closure = move |tx: &WriteTx<'_>| {
                meta::set(tx, &format!("model {key}"), &json!(turn))?;
                match end {
                    End::Succeeds => Ok(()),
                    End::Fails => Err(Error::not_found().into()),
                    End::Panics => panic!("armed by the test"),
                }
            };
            answers.push((end, writer.enqueue(closure).unwrap()));
            if matches!(end, End::Succeeds) {
                expected.insert(format!("model {key}"), json!(turn));
            }
        }
        held.release().unwrap();
        for (end, answer) in answers {
            let wanted = match end {
                End::Succeeds => None,
                End::Fails => Some(Code::NotFound),
                End::Panics => Some(Code::Internal),
            };
            assert_eq!(code(answer), wanted);
        }
    }
    assert_eq!(keys(&store, "model %"), expected.len() as i64);
    for (key, value) in expected {
        assert_eq!(find(&store, &key), Some(value));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_mix_of_closures_stores_what_the_successful_ones_wrote(
        groups in vec(vec((0..6_u8, select(&[End::Succeeds, End::Fails, End::Panics][..])), 1..20), 1..6)
    ) {
        check_against_a_map(groups);
    }
}

#[test]
fn a_full_disk_is_known_until_something_is_stored_again() {
    let store = TestStore::new();
    let (writer, health) = (store.writer(), store.store().health());
    assert_eq!(code(set(&writer, "before".to_owned())), None);
    assert!(!health.is_disk_full());
    store.faults.arm(Point::BeforeCommit, Action::DiskFull, 0);
    assert_eq!(code(set(&writer, "lost".to_owned())), Some(Code::DiskFull));
    writer.write_blocking(|_| Ok(())).unwrap();
    assert!(health.is_disk_full(), "an empty write needs no space");
    assert_eq!(code(set(&writer, "after".to_owned())), None);
    assert!(!health.is_disk_full());

    limit_growth(&writer, 1);
    let big = "x".repeat(200_000);
    let refused = writer.write_blocking(move |tx| meta::set(tx, "big", &json!(big)));
    assert_eq!(refused.unwrap_err().code(), Code::DiskFull);
    assert!(health.is_disk_full());
}

#[test]
fn nothing_is_acknowledged_while_the_file_has_lost_its_name() {
    let store = TestStore::new();
    let (folder, aside) = (store.workspace().join("memory"), store.workspace().join("aside"));
    assert_eq!(code(set(&store.writer(), "before".to_owned())), None);
    std::fs::rename(&folder, &aside).unwrap();
    let refused = set(&store.writer(), "lost".to_owned()).blocking_recv().unwrap().unwrap_err();
    assert_eq!(refused.code(), Code::StorageUnavailable);
    assert!(refused.to_string().contains("moved or removed"), "{refused}");
    assert!(store.store().health().report().displaced);
    // Another file under the name is not the one that is open.
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("memories.db"), "").unwrap();
    assert_eq!(code(set(&store.writer(), "lost".to_owned())), Some(Code::StorageUnavailable));
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::rename(&aside, &folder).unwrap();
    assert_eq!(code(set(&store.writer(), "after".to_owned())), None);
    assert!(!store.store().health().report().displaced);
    assert_eq!((find(&store, "lost"), find(&store, "after")), (None, Some(json!(1))));
}

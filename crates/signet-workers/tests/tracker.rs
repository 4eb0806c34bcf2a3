//! The tracker over a real store and a scripted provider.

#![expect(clippy::expect_used, reason = "tests")]

use std::sync::Arc;
use std::time::Duration;

use signet_model::embed::{EmbedError, EmbedFailure, EmbedRole, Embedder, EmbeddingTracker, Profile};
use signet_model::{AgentId, Clock};
use signet_provider::fake::FakeEmbedder;
use signet_store::derived::profile::{Standing, standing};
use signet_store::testing::{TestStore, plant};
use signet_workers::embedding::{Handles, Settings, start};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// A tracker that runs.
struct Running {
    store: TestStore,
    fake: Arc<FakeEmbedder>,
    tracker: Arc<dyn EmbeddingTracker>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl Running {
    fn new(store: TestStore, fake: FakeEmbedder) -> Self {
        let (fake, stop) = (Arc::new(fake), CancellationToken::new());
        let handles = Handles {
            reader: store.reader(),
            writer: store.writer(),
            embedder: Arc::<FakeEmbedder>::clone(&fake),
            clock: Arc::new(store.clock.clone()),
            stop: stop.clone(),
        };
        // No poll within a test: whatever happens is woken.
        let settings = Settings { poll: Duration::from_hours(1), ..Settings::default() };
        let (tracker, run) = start(handles, settings);
        let mut tasks = JoinSet::new();
        tasks.spawn(run);
        Self { store, fake, tracker, stop, tasks }
    }

    fn vectors(&self) -> i64 {
        self.store.number("SELECT count(*) FROM embeddings")
    }

    /// Wakes the tracker until `sql` gives `expect`.
    async fn until(&self, sql: &str, expect: i64) {
        for _ in 0..20_000 {
            self.tracker.wake();
            tokio::task::yield_now().await;
            if self.store.number(sql) == expect {
                return;
            }
        }
        panic!("{sql} never gave {expect}: {:?}", self.tracker.status());
    }

    /// Wakes the tracker until it has gone round once more.
    async fn round(&self) {
        for _ in 0..3 {
            let before = self.tracker.status();
            self.store.clock.advance(1);
            self.tracker.wake();
            for _ in 0..20_000 {
                if self.tracker.status() != before {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
    }

    async fn end(mut self) -> TestStore {
        self.stop.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            ended.expect("the loop ends by itself");
        }
        assert!(!self.tracker.status().running);
        self.store
    }
}

fn agent() -> AgentId {
    AgentId::default_agent()
}

fn error(class: EmbedFailure) -> EmbedError {
    EmbedError { class, message: format!("scripted {}", class.as_str()) }
}

const VECTORS: &str = "SELECT count(*) FROM embeddings";

#[tokio::test]
async fn every_memory_gets_its_vector_and_idle_hours_cost_no_call() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(16));
    let texts: Vec<String> = (0..50).map(|n| format!("memory number {n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    plant::memories(&running.store, &agent(), &texts);
    running.until(VECTORS, 50).await;
    running.until("SELECT count(*) FROM embedding_work", 0).await;
    assert_eq!(running.store.number("SELECT count(*) FROM vec_embeddings_rowids"), 50);
    assert_eq!(running.tracker.status().processed, 50);
    let calls = running.fake.calls();
    assert!(calls.iter().all(|(role, texts)| *role == EmbedRole::Document && texts.len() <= 8));
    for _ in 0..10 {
        running.store.clock.advance(3_600_000);
        running.round().await;
    }
    assert_eq!(running.fake.calls().len(), calls.len(), "ten idle hours");
    running.end().await;
}

#[tokio::test]
async fn what_waited_at_a_stop_is_done_after_a_restart() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(4));
    running.fake.outage(Some(error(EmbedFailure::Provider)));
    plant::memory(&running.store, &agent(), "before");
    running.round().await;
    assert_eq!(running.vectors(), 0);
    let running = Running::new(running.end().await, FakeEmbedder::new(4));
    running.until(VECTORS, 1).await;
    running.end().await;
}

#[tokio::test]
async fn an_idle_tracker_embeds_at_once_and_a_busy_one_leaves_it_to_the_queue() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(4));
    let patience = Duration::from_mins(1);
    running.round().await;
    let first = plant::memory(&running.store, &agent(), "first");
    assert!(running.tracker.embed_now(&agent(), &first, patience).await);
    assert_eq!(running.vectors(), 1);
    assert!(running.tracker.embed_now(&agent(), &first, patience).await, "it has its vector already");
    plant::memory(&running.store, &agent(), "waits");
    let third = plant::memory(&running.store, &agent(), "third");
    assert!(!running.tracker.embed_now(&agent(), &third, patience).await, "another waits");
    running.until(VECTORS, 3).await;
    running.fake.hold();
    let fourth = plant::memory(&running.store, &agent(), "fourth");
    assert!(
        !running.tracker.embed_now(&agent(), &fourth, Duration::from_millis(1)).await,
        "it takes too long"
    );
    running.fake.release();
    running.until(VECTORS, 4).await;
    running.end().await;
}

#[tokio::test]
async fn a_provider_that_is_down_charges_no_row_and_is_probed() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(4));
    plant::memory(&running.store, &agent(), "text");
    running.fake.outage(Some(error(EmbedFailure::Timeout)));
    let mut rounds = 0;
    while running.tracker.status().skipped_cycles == 0 {
        running.round().await;
        rounds += 1;
        assert!(rounds < 100, "the breaker never opened");
    }
    assert_eq!(running.fake.calls().len(), 5);
    assert_eq!(running.tracker.status().last_error.as_deref(), Some("scripted timeout"));
    let charged = "SELECT count(*) FROM embedding_work WHERE attempts > 0 OR state <> 'pending'";
    assert_eq!(running.store.number(charged), 0);
    let more = plant::memory(&running.store, &agent(), "more");
    assert!(!running.tracker.embed_now(&agent(), &more, Duration::from_mins(1)).await);
    assert_eq!(running.fake.calls().len(), 5, "an open breaker lets nothing through");
    running.fake.outage(None);
    running.store.clock.advance(31_000);
    running.until(VECTORS, 2).await;
    assert_eq!(running.fake.calls()[5].1.len(), 1, "the probe is one text");
    running.end().await;
}

#[tokio::test]
async fn a_refused_text_is_cut_twice_and_set_aside_and_the_others_go_on() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(4));
    running.fake.outage(Some(error(EmbedFailure::ContextLimit)));
    plant::memory(&running.store, &agent(), "0123456789abcdef");
    for (minutes, tries) in [(0, 1), (1, 2), (5, 3)] {
        running.store.clock.advance(minutes * 60_000);
        let sql = format!("SELECT count(*) FROM embedding_work WHERE attempts = {tries}");
        running.until(&sql, 1).await;
    }
    let texts: Vec<String> = running.fake.calls().into_iter().flat_map(|(_, texts)| texts).collect();
    assert_eq!(texts, ["0123456789abcdef", "01234567", "0123"]);
    assert_eq!(running.store.number("SELECT count(*) FROM embedding_work WHERE state = 'quarantined'"), 1);
    running.fake.outage(None);
    // The first call has both texts; each is then asked by itself, and one of them is refused.
    running.fake.fail(error(EmbedFailure::InvalidInput));
    running.fake.fail(error(EmbedFailure::InvalidInput));
    plant::memories(&running.store, &agent(), &["good", "bad"]);
    running.until(VECTORS, 1).await;
    running.store.clock.advance(60_000);
    running.until(VECTORS, 2).await;
    assert_eq!(running.tracker.status().failed, 4);
    let cut = "SELECT count(*) FROM embeddings WHERE truncated = 1";
    assert_eq!(running.store.number(cut), 1, "a text that was cut says so");
    running.end().await;
}

#[tokio::test]
async fn another_model_adds_nothing_to_the_stores_space() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(4));
    plant::memory(&running.store, &agent(), "text");
    running.until(VECTORS, 1).await;
    let running = Running::new(running.end().await, FakeEmbedder::new(8));
    let new = plant::memory(&running.store, &agent(), "new");
    running.round().await;
    assert!(!running.tracker.embed_now(&agent(), &new, Duration::from_mins(1)).await);
    assert_eq!(running.fake.calls(), []);
    let status = running.tracker.status();
    assert!(status.last_error.is_some_and(|error| error.starts_with("profile_mismatch")));
    let profile = running.fake.profile().expect("a profile");
    let found = running.store.reader().read(move |tx| standing(tx, &profile)).await.expect("read");
    assert!(matches!(found, Standing::Other(_)));
    assert_eq!(running.vectors(), 1, "no vector is lost");
    let running = Running::new(running.end().await, FakeEmbedder::new(4));
    running.until(VECTORS, 2).await;
    running.end().await;
}

#[tokio::test]
async fn a_lost_mirror_and_lost_work_come_back_by_themselves() {
    let running = Running::new(TestStore::new(), FakeEmbedder::new(4));
    plant::memories(&running.store, &agent(), &["one", "two", "three"]);
    running.until(VECTORS, 3).await;
    let store = running.end().await;
    let damage = "DELETE FROM embeddings WHERE content_hash = 'two'; DROP TABLE vec_embeddings_chunks;";
    store.raw().execute_batch(damage).expect("damage");
    let running = Running::new(store, FakeEmbedder::new(4));
    running.until(VECTORS, 3).await;
    running.until("SELECT count(*) FROM embedding_index_state WHERE mirror = 'ready'", 1).await;
    assert_eq!(running.store.number("SELECT count(*) FROM vec_embeddings_rowids"), 3);
    running.end().await;
}

#[tokio::test]
async fn switched_off_means_no_call_and_a_loop_that_ends() {
    let off =
        Profile { provider: "fake".to_owned(), model: "x".to_owned(), dimensions: 4, prefix: "legacy-raw" };
    for (enabled, profile) in [(false, Some(off)), (true, None)] {
        let store = TestStore::new();
        let id = plant::memory(&store, &agent(), "text");
        let (fake, stop) = (Arc::new(FakeEmbedder::with_profile(profile)), CancellationToken::new());
        let clock: Arc<dyn Clock> = Arc::new(store.clock.clone());
        let embedder: Arc<dyn Embedder> = Arc::<FakeEmbedder>::clone(&fake);
        let handles =
            Handles { reader: store.reader(), writer: store.writer(), embedder, clock, stop: stop.clone() };
        let (tracker, run) = start(handles, Settings { enabled, ..Settings::default() });
        tracker.wake();
        assert!(!tracker.embed_now(&agent(), &id, Duration::from_mins(1)).await);
        stop.cancel();
        run.await;
        assert_eq!(fake.calls(), []);
        assert!(!tracker.status().running);
    }
}

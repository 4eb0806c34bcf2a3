//! A store, an embedder without a model, and the recall over both.

use std::sync::Arc;

use signet_model::embed::{EmbedRole, Embedder};
use signet_model::memory::outcome::Remembered;
use signet_model::memory::{Draft, Guardrails, prepare};
use signet_model::recall::{Channels, Outcome, Request};
use signet_model::{Actor, AgentId, AgentScope, MemoryId, ReadPolicy, Timestamp};
use signet_provider::fake::FakeEmbedder;
use signet_recall::{Recall, Settings};
use signet_store::control::agents;
use signet_store::derived::embedding::{self, Made};
use signet_store::derived::profile::{self, Standing};
use signet_store::derived::work;
use signet_store::evidence::memory::remember::remember;
use signet_store::testing::TestStore;

/// Everything a recall needs.
pub(crate) struct World {
    pub(crate) store: TestStore,
    pub(crate) embedder: Arc<FakeEmbedder>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { store: TestStore::new(), embedder: Arc::new(FakeEmbedder::new(384)) }
    }

    /// A world whose default agent holds these texts, with or without their vectors.
    pub(crate) async fn of(texts: &[&str], channels: Channels) -> Self {
        let world = Self::new();
        for text in texts {
            world.say(text).await;
        }
        if channels != Channels::Text {
            world.embed().await;
        }
        world
    }

    pub(crate) async fn agent(&self, name: &str, policy: &ReadPolicy) {
        let (name, policy) = (AgentId::from(name), policy.clone());
        self.store.writer().write(move |tx| agents::create(tx, &name, &policy)).await.expect("agent");
    }

    /// Stores a text of the default agent.
    pub(crate) async fn say(&self, content: &str) -> MemoryId {
        self.keep("default", Draft { content: content.to_owned(), ..Draft::default() }).await
    }

    /// Stores a draft of an agent.
    pub(crate) async fn keep(&self, agent: &str, draft: Draft) -> MemoryId {
        let scope = scope(agent);
        let prepared = prepare(draft, Guardrails::default()).expect("is a memory");
        let stored =
            self.store.writer().write(move |tx| remember(tx, &scope, &Actor::person("ana"), &prepared)).await;
        match stored.expect("is stored") {
            Remembered::One(one) => one.id,
            Remembered::Group(group) => panic!("was split: {group:?}"),
        }
    }

    /// Makes every vector that is due.
    pub(crate) async fn embed(&self) {
        let space = self.embedder.profile().expect("a space");
        let standing =
            self.store.writer().write(move |tx| profile::activate_if_empty(tx, &space)).await.expect("space");
        let Standing::Same(active) = standing else { panic!("another space is active") };
        let later = Timestamp::from_millis(4_000_000_000_000);
        loop {
            let read = move |tx: &signet_store::ReadTx<'_>| work::due(tx, work::Order::Oldest, later, 256);
            let due = self.store.reader().read(read).await.expect("due");
            if due.is_empty() {
                return;
            }
            let texts = due.iter().map(|due| due.text.clone()).collect();
            let vectors = self.embedder.embed(EmbedRole::Document, texts).await.expect("vectors");
            let active = active.clone();
            let write = move |tx: &signet_store::WriteTx<'_>| {
                for (due, vector) in due.into_iter().zip(vectors) {
                    let made = Made {
                        agent: due.agent,
                        memory: due.memory,
                        content_hash: due.content_hash,
                        vector: vector.vector,
                        truncated: false,
                    };
                    embedding::store(tx, &active, &made)?;
                }
                Ok(())
            };
            self.store.writer().write(write).await.expect("stored");
        }
    }

    /// The recall with these settings.
    pub(crate) fn recall(&self, settings: Settings) -> Recall {
        let clock = Arc::new(self.store.clock.clone());
        Recall::new(self.store.reader(), Arc::clone(&self.embedder) as Arc<dyn Embedder>, clock, settings)
    }

    /// Asks as the default agent with the default settings.
    pub(crate) async fn ask(&self, request: &Request) -> Outcome {
        self.ask_as(&scope("default"), request).await
    }

    pub(crate) async fn ask_as(&self, scope: &AgentScope, request: &Request) -> Outcome {
        self.recall(Settings::default()).recall(scope, request).await.expect("an answer")
    }

    /// The texts that a query brings, best first.
    pub(crate) async fn texts(&self, query: &str) -> Vec<String> {
        let outcome = self.ask(&Request::new(query)).await;
        outcome.hits.into_iter().map(|hit| hit.memory.content).collect()
    }
}

pub(crate) fn scope(agent: &str) -> AgentScope {
    AgentScope::granted(agent.into(), None, None)
}

//! A store with a vector space, for the tests of what is in it.

use std::collections::BTreeMap;

use signet_model::embed::Profile;
use signet_model::recall::Filters;
use signet_model::{AgentId, AgentScope, MemoryId};

use crate::derived::cosine::QueryVector;
use crate::derived::eligible::owners;
use crate::derived::embedding::{self, Made, Stored};
use crate::derived::nearest::{Nearest, Tier, VectorQuery, nearest};
use crate::derived::profile::{ActiveProfile, Standing, activate_if_empty};
use crate::testing::{TestStore, plant};

/// A provider's space of this many dimensions.
pub(crate) fn space(dimensions: usize) -> Profile {
    let (provider, model) = ("fake".to_owned(), format!("of-{dimensions}"));
    Profile { provider, model, dimensions, prefix: "legacy-raw" }
}

/// A store whose active space has `dimensions`.
pub(crate) struct Spaced {
    pub(crate) store: TestStore,
    pub(crate) active: ActiveProfile,
    pub(crate) agent: AgentId,
    /// Texts by memory id.
    pub(crate) texts: BTreeMap<String, String>,
}

impl Spaced {
    pub(crate) fn new(dimensions: usize) -> Self {
        let store = TestStore::new();
        let standing =
            store.writer().write_blocking(move |tx| activate_if_empty(tx, &space(dimensions))).unwrap();
        let Standing::Same(active) = standing else { panic!("{standing:?}") };
        Self { store, active, agent: AgentId::default_agent(), texts: BTreeMap::new() }
    }

    /// Memories with vectors made by [`vector`] from their number, all of the default agent.
    pub(crate) fn fill(&mut self, count: usize) -> Vec<MemoryId> {
        let agent = self.agent.clone();
        let texts: Vec<String> = (0..count).map(|n| format!("text {n}")).collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let planted = plant::memories(&self.store, &agent, &borrowed);
        let made: Vec<Made> =
            planted.iter().enumerate().map(|(n, id)| self.made(id, &texts[n], self.vector(n))).collect();
        self.texts.extend(planted.iter().map(|id| id.as_str().to_owned()).zip(texts));
        for chunk in made.chunks(500) {
            let (chunk, active) = (chunk.to_vec(), self.active.clone());
            let write = self.store.writer().write_blocking(move |tx| {
                chunk.iter().try_for_each(|made| embedding::store(tx, &active, made).map(drop))
            });
            write.unwrap();
        }
        planted
    }

    pub(crate) fn made(&self, memory: &MemoryId, text: &str, vector: Vec<f32>) -> Made {
        let (agent, memory) = (self.agent.clone(), memory.clone());
        Made { agent, memory, content_hash: text.to_owned(), vector, truncated: false }
    }

    /// A direction that depends on `n` only.
    pub(crate) fn vector(&self, n: usize) -> Vec<f32> {
        (0..self.active.dimensions).map(|i| ((n * 31 + i * 17) as f32 * 0.7).sin() + 0.01).collect()
    }

    pub(crate) fn put(&self, made: Made) -> Stored {
        let active = self.active.clone();
        self.store.writer().write_blocking(move |tx| embedding::store(tx, &active, &made)).unwrap()
    }

    pub(crate) fn ask(&self, tier: Tier, k: usize) -> Nearest {
        self.ask_with(tier, k, 10_000, &Filters::default())
    }

    /// The nearest to the vector of number 3.
    pub(crate) fn ask_with(&self, tier: Tier, k: usize, window_rows: usize, filters: &Filters) -> Nearest {
        let vector = QueryVector::new(self.vector(3)).unwrap();
        let (profile_id, filters, agent) = (self.active.id, filters.clone(), self.agent.clone());
        let read = self.store.reader().read_blocking(move |tx| {
            let scope = AgentScope::granted(agent, None, None);
            let owner = owners(tx, &scope)?.remove(0);
            let (owner, scope, filters, vector) = (&owner, &scope, &filters, &vector);
            nearest(tx, &VectorQuery { owner, scope, filters, profile_id, vector, k, tier, window_rows })
        });
        read.unwrap()
    }

    /// Row ids of an answer.
    pub(crate) fn rids(nearest: &Nearest) -> Vec<i64> {
        nearest.hits.iter().map(|hit| hit.rid).collect()
    }
}

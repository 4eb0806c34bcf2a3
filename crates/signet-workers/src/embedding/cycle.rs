//! One batch: what is due, its vectors, one write closure.

use std::time::Duration;

use signet_model::embed::{EmbedError, EmbedFailure, EmbedRole, Embedded, Profile};
use signet_model::{AgentId, MemoryId};
use signet_store::StoreError;
use signet_store::derived::embedding::{self, Made, Stored};
use signet_store::derived::profile::{self, ActiveProfile, Standing};
use signet_store::derived::work::{self, Due, Failed, Order};

use super::Tracker;
use super::breaker::Gate;

/// Longest wait for a provider that is only asked whether it is back.
const PROBE: Duration = Duration::from_secs(5);

/// Every so many batches the oldest work is served, so that nothing waits for ever.
const OLDEST_EVERY: u64 = 4;

/// What a cycle came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Something was stored or charged; there may be more.
    Progress,
    /// Nothing is due.
    Idle,
    /// The provider is down, of another space, or the store does not answer: wait.
    Waiting,
}

/// A batch that could not be finished.
enum Fault {
    Provider(EmbedError),
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Tracker {
    /// Embeds the next batch.
    pub(super) async fn cycle(&self) -> Outcome {
        let Some(profile) = self.handles.embedder.profile() else { return Outcome::Idle };
        // An idle look takes no permit, so that it is in nobody's way.
        match self.due(Order::Newest, 1).await {
            Ok(due) if due.is_empty() => return self.settle(Ok(Outcome::Idle)),
            Ok(_) => {}
            Err(error) => return self.settle(Err(error.into())),
        }
        let Ok(_permit) = self.permit.acquire().await else { return Outcome::Waiting };
        let gate = self.state().breaker.gate(self.handles.clock.now());
        let outcome = match gate {
            Gate::Open => {
                self.state().status.skipped_cycles += 1;
                return Outcome::Waiting;
            }
            Gate::Probe => self.batch_of(&profile, 1, Some(PROBE)).await,
            Gate::Closed => self.batch_of(&profile, self.batch(), None).await,
        };
        self.settle(outcome)
    }

    fn settle(&self, outcome: Result<Outcome, Fault>) -> Outcome {
        let now = self.handles.clock.now();
        let mut state = self.state();
        state.status.last_cycle_at = Some(now);
        match outcome {
            Ok(outcome) => outcome,
            Err(Fault::Provider(error)) => {
                if state.breaker.gate(now) == Gate::Closed {
                    tracing::warn!(class = error.class.as_str(), "embedding failed: {error}");
                }
                state.breaker.failed(now);
                state.status.last_error = Some(error.message);
                Outcome::Waiting
            }
            Err(Fault::Store(StoreError::Closed)) => Outcome::Waiting,
            Err(Fault::Store(error)) => {
                tracing::warn!(%error, "vectors could not be stored");
                state.status.last_error = Some(error.to_string());
                Outcome::Waiting
            }
        }
    }

    async fn batch_of(
        &self,
        profile: &Profile,
        limit: usize,
        bound: Option<Duration>,
    ) -> Result<Outcome, Fault> {
        let Some(active) = self.active(profile).await? else { return Ok(Outcome::Waiting) };
        let order = {
            let mut state = self.state();
            state.batches += 1;
            if state.batches.is_multiple_of(OLDEST_EVERY) { Order::Oldest } else { Order::Newest }
        };
        let batch = self.due(order, limit).await?;
        if batch.is_empty() {
            return Ok(Outcome::Idle);
        }
        let texts = batch.iter().map(text_of).collect();
        match self.embed(texts, bound).await {
            Ok(vectors) => self.store(&active, &batch, vectors).await.map(|_| Outcome::Progress),
            // One text of several is at fault: each is asked by itself.
            Err(error) if error.class.is_of_the_text() && batch.len() > 1 => {
                for due in batch {
                    self.one(&active, due).await?;
                }
                Ok(Outcome::Progress)
            }
            Err(error) => {
                let mut batch = batch;
                self.charge(batch.swap_remove(0), error).await?;
                Ok(Outcome::Progress)
            }
        }
    }

    async fn due(&self, order: Order, limit: usize) -> Result<Vec<Due>, StoreError> {
        let now = self.handles.clock.now();
        self.handles.reader.read(move |tx| work::due(tx, order, now, limit)).await
    }

    async fn one(&self, active: &ActiveProfile, due: Due) -> Result<bool, Fault> {
        match self.embed(vec![text_of(&due)], None).await {
            Ok(vectors) => self.store(active, &[due], vectors).await.map(|stored| stored > 0),
            Err(error) => self.charge(due, error).await.map(|()| false),
        }
    }

    /// Embeds one memory now if nothing else waits. `false` = the queue does it.
    pub(super) async fn embed_one(&self, agent: &AgentId, memory: &MemoryId) -> bool {
        let Some(profile) = self.handles.embedder.profile() else { return false };
        let now = self.handles.clock.now();
        if !self.settings.enabled || self.state().breaker.gate(now) != Gate::Closed {
            return false;
        }
        let Ok(_permit) = self.permit.try_acquire() else { return false };
        let (owner, id) = (agent.clone(), memory.clone());
        let asked = self.handles.reader.read(move |tx| {
            if work::others_are_due(tx, now, &owner, &id)? {
                return Ok((None, false));
            }
            Ok((work::find(tx, &owner, &id)?, embedding::is_embedded(tx, &owner, &id)?))
        });
        let due = match asked.await {
            Ok((Some(due), _)) => due,
            Ok((None, embedded)) => return embedded,
            Err(_) => return false,
        };
        let outcome = async {
            match self.active(&profile).await? {
                Some(active) => self.one(&active, due).await,
                None => Ok(false),
            }
        };
        match outcome.await {
            Ok(stored) => stored,
            Err(fault) => {
                self.settle(Err(fault));
                false
            }
        }
    }

    /// The store's space when it is the provider's; makes it so on an empty store.
    async fn active(&self, profile: &Profile) -> Result<Option<ActiveProfile>, Fault> {
        let asked = profile.clone();
        let mut standing = self.handles.reader.read(move |tx| profile::standing(tx, &asked)).await?;
        if standing == Standing::Empty {
            let asked = profile.clone();
            standing = self.handles.writer.write(move |tx| profile::activate_if_empty(tx, &asked)).await?;
        }
        match standing {
            Standing::Same(active) => Ok(Some(active)),
            Standing::Other(active) => {
                let message = format!(
                    "profile_mismatch: the store's vectors are of {}, the configured model is {}",
                    active.model, profile.model
                );
                self.state().status.last_error = Some(message);
                Ok(None)
            }
            Standing::Empty => Ok(None),
        }
    }

    /// Calls the provider; any answer, a refusal of the text included, shows that it is up.
    async fn embed(&self, texts: Vec<String>, bound: Option<Duration>) -> Result<Vec<Embedded>, EmbedError> {
        let call = self.handles.embedder.embed(EmbedRole::Document, texts);
        let outcome = match bound {
            None => call.await,
            Some(bound) => tokio::time::timeout(bound, call).await.unwrap_or_else(|_| {
                let message = "the embedding provider did not answer a probe in time".to_owned();
                Err(EmbedError { class: EmbedFailure::Timeout, message })
            }),
        };
        if outcome.as_ref().err().is_none_or(|error| error.class.is_of_the_text()) {
            self.state().breaker.answered();
        }
        outcome
    }

    /// Stores a batch in one closure; returns how many vectors were stored.
    async fn store(
        &self,
        active: &ActiveProfile,
        batch: &[Due],
        vectors: Vec<Embedded>,
    ) -> Result<u64, Fault> {
        let made: Vec<Made> = batch.iter().zip(vectors).map(|(due, embedded)| made(due, embedded)).collect();
        let active = active.clone();
        let written = self.handles.writer.write(move |tx| {
            let mut counts = (0, 0);
            for made in &made {
                match embedding::store(tx, &active, made)? {
                    Stored::Stored => counts.0 += 1,
                    Stored::Changed | Stored::Gone => {}
                    Stored::Unsound => {
                        counts.1 += 1;
                        let message = "the provider made a vector that cannot be compared".to_owned();
                        let (agent, memory) = (made.agent.clone(), made.memory.clone());
                        work::fail(tx, &Failed { agent, memory, class: EmbedFailure::Dimension, message })?;
                    }
                }
            }
            Ok(counts)
        });
        let (stored, unsound) = written.await?;
        let mut state = self.state();
        state.status.processed += stored;
        state.status.failed += unsound;
        Ok(stored)
    }

    /// Charges a failure to its row, or reports it as the provider's.
    async fn charge(&self, due: Due, error: EmbedError) -> Result<(), Fault> {
        if !error.class.is_of_the_text() {
            return Err(Fault::Provider(error));
        }
        let failed =
            Failed { agent: due.agent, memory: due.memory, class: error.class, message: error.message };
        {
            let mut state = self.state();
            state.status.failed += 1;
            state.status.last_error = Some(failed.message.clone());
        }
        Ok(self.handles.writer.write(move |tx| work::fail(tx, &failed)).await?)
    }
}

/// The text of a row: whole at first, half of it after the first refusal, a quarter after the second.
fn text_of(due: &Due) -> String {
    if due.attempts == 0 {
        return due.text.clone();
    }
    let kept = due.text.chars().count() >> due.attempts.min(8);
    due.text.chars().take(kept.max(1)).collect()
}

fn made(due: &Due, embedded: Embedded) -> Made {
    Made {
        agent: due.agent.clone(),
        memory: due.memory.clone(),
        content_hash: due.content_hash.clone(),
        vector: embedded.vector,
        truncated: embedded.truncated || due.attempts > 0,
    }
}

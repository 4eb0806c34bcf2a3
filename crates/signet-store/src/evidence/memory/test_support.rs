//! A store with short words for the acts of these tests.

use signet_model::memory::outcome::{Edited, Forgotten, Recovered, Remembered, RememberedOne, Superseded};
use signet_model::memory::{Change, Draft, Guardrails, Warrant, forget::Force, prepare};
use signet_model::{Actor, ActorKind, AgentScope, Code, MemoryId};

use crate::control::idempotency::{KeptAnswer, RequestKey, insert_answer};
use crate::evidence::memory::{MemoryRow, edit, forget, recover, remember, row, supersede};
use crate::testing::TestStore;
use crate::{ReadTx, Result, StoreError, WriteTx};

pub(super) fn scope() -> AgentScope {
    AgentScope::granted("default".into(), None, None)
}

pub(super) fn person() -> Actor {
    Actor::person("ana")
}

pub(super) fn machine() -> Actor {
    Actor::new("codex", ActorKind::Harness)
}

pub(super) fn draft(content: &str) -> Draft {
    Draft { content: content.to_owned(), ..Draft::default() }
}

/// Code of a refusal; fails on any other outcome.
pub(super) fn code<T: std::fmt::Debug>(outcome: Result<T>) -> Code {
    match outcome {
        Err(StoreError::Refused(error)) => error.code,
        other => panic!("is not refused: {other:?}"),
    }
}

/// The refusal itself.
pub(super) fn refusal<T: std::fmt::Debug>(outcome: Result<T>) -> signet_model::Error {
    match outcome {
        Err(StoreError::Refused(error)) => error,
        other => panic!("is not refused: {other:?}"),
    }
}

/// Keeps an answer for an agent, as a request with an `idempotency-key` does.
pub(super) fn keep_answer(acts: &Acts, agent: &str, answer: &str) {
    let key = RequestKey { agent: agent.into(), route: "/api/memory/remember", key: "k".to_owned() };
    let kept = KeptAnswer { body_hash: "h".to_owned(), status: 200, answer: answer.to_owned() };
    acts.write(move |tx| insert_answer(tx, &key, &kept)).expect("is kept");
}

/// The acts, as one agent or another.
pub(super) struct Acts {
    pub(super) store: TestStore,
    pub(super) scope: AgentScope,
}

impl Acts {
    pub(super) fn new() -> Self {
        Self { store: TestStore::new(), scope: scope() }
    }

    pub(super) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&WriteTx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.store.writer().write_blocking(work)
    }

    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ReadTx<'_>) -> Result<T> + Send + 'static,
    ) -> T {
        self.store.reader().read_blocking(work).expect("reads")
    }

    pub(super) fn try_remember(&self, actor: &Actor, draft: Draft) -> Result<Remembered> {
        let prepared = prepare(draft, Guardrails::default())?;
        let (scope, actor) = (self.scope.clone(), actor.clone());
        self.write(move |tx| remember::remember(tx, &scope, &actor, &prepared))
    }

    pub(super) fn remember(&self, draft: Draft) -> RememberedOne {
        match self.try_remember(&person(), draft).expect("is stored") {
            Remembered::One(one) => *one,
            Remembered::Group(group) => panic!("was split: {group:?}"),
        }
    }

    /// Stores a text and answers its id.
    pub(super) fn say(&self, content: &str) -> MemoryId {
        self.remember(draft(content)).id
    }

    pub(super) fn edit(&self, actor: &Actor, id: &MemoryId, change: Change) -> Result<Edited> {
        self.edit_at(actor, id, change, None)
    }

    pub(super) fn edit_at(
        &self,
        actor: &Actor,
        id: &MemoryId,
        change: Change,
        if_version: Option<i64>,
    ) -> Result<Edited> {
        let change = change.checked()?;
        let (scope, actor, id) = (self.scope.clone(), actor.clone(), id.clone());
        let warrant = Warrant { reason: "test".to_owned(), if_version };
        self.write(move |tx| edit::edit(tx, &scope, &actor, (&id, &change), &warrant))
    }

    pub(super) fn forget(&self, actor: &Actor, id: &MemoryId, force: Force) -> Result<Forgotten> {
        let (scope, actor, id) = (self.scope.clone(), actor.clone(), id.clone());
        self.write(move |tx| forget::forget(tx, &scope, &actor, (&id, force), &Warrant::because("test")))
    }

    pub(super) fn recover(&self, actor: &Actor, id: &MemoryId) -> Result<Recovered> {
        let (scope, actor, id) = (self.scope.clone(), actor.clone(), id.clone());
        self.write(move |tx| recover::recover(tx, &scope, &actor, &id, &Warrant::because("test")))
    }

    pub(super) fn supersede(&self, actor: &Actor, id: &MemoryId, by: &MemoryId) -> Result<Superseded> {
        let (scope, actor, id, by) = (self.scope.clone(), actor.clone(), id.clone(), by.clone());
        self.write(move |tx| supersede::supersede(tx, &scope, &actor, (&id, &by), &Warrant::because("test")))
    }

    pub(super) fn row(&self, id: &MemoryId) -> Option<MemoryRow> {
        let (agent, id) = (self.scope.agent().clone(), id.clone());
        self.read(move |tx| row::find(tx, &agent, &id))
    }

    /// Rows of the text index that match a word, in either column.
    pub(super) fn indexed(&self, word: &str) -> i64 {
        self.store.number(&format!("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH '\"{word}\"'"))
    }

    /// Events of a memory, oldest first.
    pub(super) fn events(&self, id: &MemoryId) -> Vec<crate::audit::history::Entry> {
        let (agent, id) = (self.scope.agent().clone(), id.clone());
        self.read(move |tx| crate::audit::history::list(tx, &agent, &id, 100))
    }

    /// Puts a vector for the present text, as the embedding queue does.
    pub(super) fn embed(&self, id: &MemoryId) {
        self.store.raw().execute_batch(&format!(
            "INSERT OR IGNORE INTO embedding_profiles (id, fingerprint, provider, model, dimensions, profile, created_at)
               VALUES (1, 'f', 'fake', 'm', 1, 'legacy-raw', '2026-03-04T14:25:00.000Z');
             UPDATE embedding_index_state SET active_profile_id = 1;
             INSERT INTO embeddings (rid, agent_id, id, source_type, source_id, profile_id, content_hash, dimensions,
                 vector, created_at)
               SELECT rid, agent_id, 'v' || id, 'memory', id, 1, content_hash, 1, x'0000803f', created_at
                 FROM memories WHERE agent_id = 'default' AND id = '{id}';"
        )).expect("vector is stored");
    }
}

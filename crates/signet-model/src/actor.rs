//! Who changed something, as the audit trail records it.

/// Trust class of a writer. Only [`ActorKind::Operator`] is a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActorKind {
    /// A person.
    Operator,
    /// An inner worker.
    Pipeline,
    /// An agent under a harness.
    Harness,
    /// A program through the API.
    Sdk,
    /// The daemon itself.
    Daemon,
}

impl ActorKind {
    /// The word stored in `memory_history.actor_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Pipeline => "pipeline",
            Self::Harness => "harness",
            Self::Sdk => "sdk",
            Self::Daemon => "daemon",
        }
    }

    /// Whether a person acts.
    pub const fn is_person(self) -> bool {
        matches!(self, Self::Operator)
    }
}

/// The author of a change. Decided by authentication, never by a free header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Token subject, key id, or `local:<os user>`.
    pub name: String,
    /// Trust class.
    pub kind: ActorKind,
    /// Free name the caller gave; kept beside `name`, never instead of it.
    pub claimed_name: Option<String>,
    /// Request id, for the history row.
    pub request_id: Option<String>,
    /// Session id, for the history row.
    pub session_id: Option<String>,
}

impl Actor {
    /// A person at the machine.
    pub fn person(name: &str) -> Self {
        Self::new(name, ActorKind::Operator)
    }

    /// An actor with a name and a trust class.
    pub fn new(name: &str, kind: ActorKind) -> Self {
        Self { name: name.to_owned(), kind, claimed_name: None, request_id: None, session_id: None }
    }
}

//! What a caller may see and touch.

use crate::AgentId;

/// A right that a route asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Permission {
    /// Store.
    Remember,
    /// Read.
    Recall,
    /// Change.
    Modify,
    /// Forget.
    Forget,
    /// Recover, see tombstones.
    Recover,
    /// Documents.
    Documents,
    /// Sources and connectors.
    Connectors,
    /// Diagnostics and logs.
    Diagnostics,
    /// Analytics.
    Analytics,
    /// Approve or reject risky proposals.
    Review,
    /// Everything else.
    Admin,
}

impl Permission {
    /// All permissions.
    pub const ALL: [Self; 11] = [
        Self::Remember,
        Self::Recall,
        Self::Modify,
        Self::Forget,
        Self::Recover,
        Self::Documents,
        Self::Connectors,
        Self::Diagnostics,
        Self::Analytics,
        Self::Review,
        Self::Admin,
    ];

    /// The word of the permission.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Remember => "remember",
            Self::Recall => "recall",
            Self::Modify => "modify",
            Self::Forget => "forget",
            Self::Recover => "recover",
            Self::Documents => "documents",
            Self::Connectors => "connectors",
            Self::Diagnostics => "diagnostics",
            Self::Analytics => "analytics",
            Self::Review => "review",
            Self::Admin => "admin",
        }
    }

    /// The permission of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.as_str() == word)
    }
}

/// A named set of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything.
    Admin,
    /// Everything but administration.
    Operator,
    /// An agent's daily work.
    Agent,
    /// Reads only.
    Readonly,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Admin, Self::Operator, Self::Agent, Self::Readonly];

    /// The word of the role.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Operator => "operator",
            Self::Agent => "agent",
            Self::Readonly => "readonly",
        }
    }

    /// The role of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.as_str() == word)
    }

    /// Whether the role holds the permission.
    pub const fn allows(self, permission: Permission) -> bool {
        match self {
            Self::Admin => true,
            Self::Operator => !matches!(permission, Permission::Admin),
            Self::Agent => matches!(
                permission,
                Permission::Remember
                    | Permission::Recall
                    | Permission::Modify
                    | Permission::Forget
                    | Permission::Recover
                    | Permission::Documents
            ),
            Self::Readonly => matches!(permission, Permission::Recall),
        }
    }
}

/// What an agent reads beside its own rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadPolicy {
    /// Own rows only.
    Isolated,
    /// Own rows and `global` rows of agents that are not isolated.
    Shared,
    /// Own rows and `global` rows of agents with the same group.
    Group(String),
}

impl ReadPolicy {
    /// The word stored in `agents.read_policy`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Isolated => "isolated",
            Self::Shared => "shared",
            Self::Group(_) => "group",
        }
    }
}

/// The agent, and what the credential restricts beyond it.
///
/// Without one no store call compiles. Only authentication makes them ([`AgentScope::granted`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentScope {
    agent: AgentId,
    projects: Option<Vec<String>>,
    user: Option<String>,
    narrowing: Option<ReadPolicy>,
}

impl AgentScope {
    /// The scope that authentication grants. `projects` and `user`: `None` = not restricted on that axis.
    pub fn granted(agent: AgentId, projects: Option<Vec<String>>, user: Option<String>) -> Self {
        Self { agent, projects, user, narrowing: None }
    }

    /// The same scope with a read policy that may only narrow the stored one.
    #[must_use]
    pub fn narrowed(mut self, policy: Option<ReadPolicy>) -> Self {
        self.narrowing = policy;
        self
    }

    /// The agent that owns what is written.
    pub const fn agent(&self) -> &AgentId {
        &self.agent
    }

    /// Projects the credential is restricted to; `None` = any.
    pub fn projects(&self) -> Option<&[String]> {
        self.projects.as_deref()
    }

    /// User (`who`) the credential is restricted to.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Read policy the request asked to be narrowed to.
    pub const fn narrowing(&self) -> Option<&ReadPolicy> {
        self.narrowing.as_ref()
    }
}

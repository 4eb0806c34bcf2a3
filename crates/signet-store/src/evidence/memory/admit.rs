//! Who may touch a row: the credential's projects and user, the version the caller saw.

use signet_model::memory::Warrant;
use signet_model::memory::outcome::refusal;
use signet_model::{AgentScope, Code, Error, MemoryId};

use crate::evidence::memory::row::{self, MemoryRow};
use crate::{ReadTx, Result};

/// The row of a change. Refused: 404 when the agent has none of that id, 403 when the credential is
/// restricted to another project or user.
pub(super) fn row(tx: &ReadTx<'_>, scope: &AgentScope, id: &MemoryId) -> Result<MemoryRow> {
    let Some(row) = row::find(tx, scope.agent(), id)? else {
        return Err(refusal(Code::NotFound, "not found", id, None).into());
    };
    place(scope, &row.place.project, row.who.as_deref())?;
    Ok(row)
}

/// Refuses what lies outside the projects or the user of the credential.
pub(super) fn place(scope: &AgentScope, project: &str, who: Option<&str>) -> Result<()> {
    if let Some(projects) = scope.projects()
        && !projects.iter().any(|known| known == project)
    {
        return Err(restricted("project", &projects.join("', '")).into());
    }
    if let Some(user) = scope.user()
        && who != Some(user)
    {
        return Err(restricted("user", user).into());
    }
    Ok(())
}

fn restricted(axis: &str, value: &str) -> Error {
    Error::new(Code::ScopeRestricted, format!("scope restricted to {axis} '{value}'"))
}

/// Refuses when the row is not at the version that the caller saw.
pub(super) fn version(row: &MemoryRow, warrant: &Warrant) -> Result<()> {
    match warrant.if_version {
        Some(seen) if seen != row.version => {
            let sentence = format!("the memory is at version {}, not {seen}", row.version);
            Err(refuse(row, Code::VersionConflict, &sentence))
        }
        _ => Ok(()),
    }
}

/// A refusal that names the row and its version.
pub(super) fn refuse(row: &MemoryRow, code: Code, sentence: &str) -> crate::StoreError {
    refusal(code, sentence, &row.id, Some(row.version)).into()
}

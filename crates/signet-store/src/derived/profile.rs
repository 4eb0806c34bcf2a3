//! Vector spaces: which one the store holds. Two are never mixed.

use rusqlite::{OptionalExtension, params};
use signet_model::embed::Profile;

use crate::derived::vec;
use crate::{ReadTx, Result, WriteTx};

/// The space whose vectors the store holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveProfile {
    /// `embedding_profiles.id`.
    pub id: i64,
    /// Unique name of the space, see [`Profile::fingerprint`].
    pub fingerprint: String,
    /// Model name.
    pub model: String,
    /// Length of a vector.
    pub dimensions: usize,
    /// A cosine below this is noise.
    pub noise_floor: f64,
}

/// Noise floor of a space in which none was measured.
const NOISE_FLOOR: f64 = 0.30;

/// How a provider's space stands to the store's.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// The store holds no vector, so any space may become its own.
    Empty,
    /// The same space: vectors may be compared.
    Same(ActiveProfile),
    /// Another space: its vectors must not be compared, and none may be added.
    Other(ActiveProfile),
}

const ACTIVE: &str = "SELECT p.id, p.fingerprint, p.model, p.dimensions, p.noise_floor
  FROM embedding_index_state s JOIN embedding_profiles p ON p.id = s.active_profile_id WHERE s.id = 1";

/// The active space; `None` on a store that never held a vector.
pub fn active(tx: &ReadTx<'_>) -> Result<Option<ActiveProfile>> {
    let row = tx.prepare(ACTIVE)?.query_row([], |row| {
        Ok(ActiveProfile {
            id: row.get(0)?,
            fingerprint: row.get(1)?,
            model: row.get(2)?,
            dimensions: row.get::<_, i64>(3)? as usize,
            noise_floor: row.get::<_, Option<f64>>(4)?.unwrap_or(NOISE_FLOOR),
        })
    });
    Ok(row.optional()?)
}

const ANY_VECTOR: &str = "SELECT EXISTS (SELECT 1 FROM agents JOIN embeddings e ON e.agent_id = agents.id)";

/// Compares a provider's space with the active one.
pub fn standing(tx: &ReadTx<'_>, profile: &Profile) -> Result<Standing> {
    let Some(active) = active(tx)? else { return Ok(Standing::Empty) };
    if active.fingerprint == profile.fingerprint() {
        return Ok(Standing::Same(active));
    }
    let any = tx.prepare(ANY_VECTOR)?.query_row([], |row| row.get(0))?;
    Ok(if any { Standing::Other(active) } else { Standing::Empty })
}

const ADD: &str = "INSERT INTO embedding_profiles (fingerprint, provider, model, dimensions, profile, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (fingerprint) DO UPDATE SET model = excluded.model RETURNING id";
const ACTIVATE: &str =
    "UPDATE embedding_index_state SET active_profile_id = ?1, updated_at = ?2 WHERE id = 1";

/// Makes the provider's space the active one when the store holds no vector of another.
///
/// The answer is [`Standing::Same`] then, or [`Standing::Other`] with nothing changed.
pub fn activate_if_empty(tx: &WriteTx<'_>, profile: &Profile) -> Result<Standing> {
    let standing = standing(&tx.as_read(), profile)?;
    if standing != Standing::Empty {
        return Ok(standing);
    }
    let now = tx.now().to_string();
    let row = params![
        profile.fingerprint(),
        profile.provider,
        profile.model,
        profile.dimensions as i64,
        profile.prefix,
        now
    ];
    let id: i64 = tx.prepare(ADD)?.query_row(row, |row| row.get(0))?;
    tx.execute(ACTIVATE, params![id, now])?;
    let active = ActiveProfile {
        id,
        fingerprint: profile.fingerprint(),
        model: profile.model.clone(),
        dimensions: profile.dimensions,
        noise_floor: NOISE_FLOOR,
    };
    vec::create(tx, &active)?;
    Ok(Standing::Same(active))
}

#[cfg(test)]
mod tests;

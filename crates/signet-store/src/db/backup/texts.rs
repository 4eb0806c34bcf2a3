//! Whether the texts in a backup are still those that were stored. Pages carry no checksums, so a byte that a
//! disk altered inside a text leaves a file that SQLite holds to be sound.

use std::path::Path;

use rusqlite::Connection;
use signet_model::text::normal::content_hash;

use crate::Result;
use crate::db::pragma;

/// Altered memories that are named at most.
const NAMED_AT_MOST: usize = 10;

/// What comparing every text with its hash found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts {
    /// Memories compared, deleted ones among them.
    pub checked: u64,
    /// How many of them do not have the text of their hash.
    pub altered: u64,
    /// Ids of the first ten of these.
    pub named: Vec<String>,
}

/// Compares the text of every memory with its content hash, a row at a time.
///
/// For a file that [`super::verify`] found sound. Upper and lower case and closing punctuation are not part of
/// the hash, so a byte altered there is not seen.
pub fn compare(path: &Path) -> Result<Texts> {
    read(&pragma::readonly(path)?)
}

fn read(connection: &Connection) -> Result<Texts> {
    const ALL: &str =
        "SELECT m.id, m.content, m.content_hash FROM agents a JOIN memories m ON m.agent_id = a.id";
    let mut texts = Texts::default();
    let mut statement = connection.prepare(ALL)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        texts.checked += 1;
        // A text that is no UTF-8 any more is altered, not unreadable.
        let (content, hash) = (row.get_ref(1)?.as_str(), row.get_ref(2)?.as_str());
        if !matches!((content, hash), (Ok(content), Ok(hash)) if content_hash(content) == hash) {
            texts.altered += 1;
            if texts.named.len() < NAMED_AT_MOST {
                texts
                    .named
                    .push(String::from_utf8_lossy(row.get_ref(0)?.as_bytes().unwrap_or_default()).into());
            }
        }
    }
    Ok(texts)
}

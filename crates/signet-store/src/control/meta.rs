//! `daemon_meta`: small facts about the store as a whole, one JSON value per key.

use rusqlite::OptionalExtension as _;
use serde_json::Value;

use crate::{ReadTx, Result, StoreError, WriteTx};

/// The value of a key; `None` when it was never set.
pub fn find(tx: &ReadTx<'_>, key: &str) -> Result<Option<Value>> {
    const SQL: &str = "SELECT value FROM daemon_meta WHERE key = ?1";
    let text: Option<String> = tx.prepare(SQL)?.query_row([key], |row| row.get(0)).optional()?;
    text.map(|text| serde_json::from_str(&text).map_err(|_| corrupt(key))).transpose()
}

/// Sets the value of a key.
pub fn set(tx: &WriteTx<'_>, key: &str, value: &Value) -> Result<()> {
    const SQL: &str = "INSERT INTO daemon_meta (key, value) VALUES (?1, ?2)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    tx.execute(SQL, [key, &value.to_string()])?;
    Ok(())
}

/// Removes a key; one that is not there is no error.
pub fn remove(tx: &WriteTx<'_>, key: &str) -> Result<()> {
    const SQL: &str = "DELETE FROM daemon_meta WHERE key = ?1";
    tx.execute(SQL, [key])?;
    Ok(())
}

fn corrupt(key: &str) -> StoreError {
    StoreError::Corrupt { table: "daemon_meta", column: "value", row: key.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::TestStore;

    #[test]
    fn a_value_is_set_replaced_and_removed() {
        let store = TestStore::new();
        let seen = store
            .writer()
            .write_blocking(|tx| {
                let read = || find(&tx.as_read(), "sweep");
                let mut seen = vec![read()?];
                set(tx, "sweep", &json!({"at": 1}))?;
                seen.push(read()?);
                set(tx, "sweep", &json!("two"))?;
                seen.push(read()?);
                remove(tx, "sweep")?;
                seen.push(read()?);
                Ok(seen)
            })
            .unwrap();
        assert_eq!(seen, [None, Some(json!({"at": 1})), Some(json!("two")), None]);
    }
}

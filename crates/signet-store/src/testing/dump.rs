//! The whole store as text, to compare before and after.

use std::fmt::Write as _;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Every row of every table, sorted within its table, but those named in `without`.
///
/// The full-text index appears by its terms (an `fts5vocab` table), not by its shadow tables, whose
/// bytes depend on the order of past merges.
pub fn dump(connection: &Connection, without: &[&str]) -> String {
    let mut text = String::new();
    for table in tables(connection) {
        if without.contains(&table.as_str()) {
            continue;
        }
        writeln!(text, "== {table}").expect("text grows");
        for row in rows(connection, &table) {
            writeln!(text, "{row}").expect("text grows");
        }
    }
    text
}

/// Rows of one table as text, sorted.
pub fn rows(connection: &Connection, table: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\"")).expect("table reads");
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement
        .query_map([], |row| {
            let mut line = String::new();
            for (n, name) in names.iter().enumerate() {
                write!(line, "{name}={} ", shown(row.get_ref(n)?)).expect("text grows");
            }
            Ok(line)
        })
        .and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>)
        .expect("rows read");
    rows.sort();
    rows
}

fn tables(connection: &Connection) -> Vec<String> {
    connection
        .prepare(
            "SELECT l.name FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name
              WHERE l.schema = 'main' AND l.type IN ('table', 'virtual') AND l.name NOT LIKE 'sqlite~_%' ESCAPE '~'
                AND s.sql NOT LIKE '%USING fts5(%' ORDER BY l.name",
        )
        .and_then(|mut s| s.query_map([], |row| row.get(0))?.collect())
        .expect("tables are listed")
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(x) => format!("{x:?}"),
        ValueRef::Text(t) => format!("{:?}", String::from_utf8_lossy(t)),
        ValueRef::Blob(b) => b.iter().fold("x".to_owned(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("text grows");
            hex
        }),
    }
}

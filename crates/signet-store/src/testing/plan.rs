//! Query plans, so that a test can show that a hot statement uses an index.

use rusqlite::Connection;

/// The steps of `EXPLAIN QUERY PLAN`; parameters may stay unbound.
pub fn steps(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("statement prepares");
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().expect("plan reads") {
        steps.push(row.get("detail").expect("plan has details"));
    }
    steps
}

/// Tables that stay small whatever the number of memories: a walk through them is no fault.
const SMALL: [&str; 5] =
    ["agents", "auth_tokens", "daemon_meta", "embedding_index_state", "embedding_profiles"];

/// Fails when the plan of `sql` walks all rows of a table that grows with use.
///
/// Every walk fails but those of the small tables, of virtual tables and of results the statement itself
/// made.
pub fn assert_no_scan(connection: &Connection, sql: &str) {
    let small = small_names(sql);
    for step in steps(connection, sql) {
        let Some(walked) = step.strip_prefix("SCAN ") else { continue };
        let name = walked.split(' ').next().unwrap_or_default();
        let harmless = walked.contains("VIRTUAL TABLE")
            || name == "CONSTANT"
            || name.starts_with('(')
            || small.contains(&name);
        assert!(harmless, "`{step}` in the plan of {sql}");
    }
}

/// The small tables, and the aliases that `sql` gives them: a plan names a table by its alias.
fn small_names(sql: &str) -> Vec<&str> {
    let words: Vec<&str> =
        sql.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let aliases = words.windows(2).filter(|pair| SMALL.contains(&pair[0])).map(|pair| pair[1]);
    SMALL.into_iter().chain(aliases).collect()
}

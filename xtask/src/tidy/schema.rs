//! Table classes: what a rebuild may drop, and what nothing may.

use std::collections::BTreeMap;

use super::Finding;
use super::tree::{Tree, extension};

const RULE: &str = "schema";
const MIGRATIONS: &str = "crates/signet-store/migrations/";
const REBUILD: &str = "crates/signet-store/src/rebuild";
const CLASSES: [&str; 5] = ["evidence", "derived", "durable", "audit", "control"];

#[derive(Debug, PartialEq, Eq)]
struct Table {
    path: String,
    line: usize,
    name: String,
    class: Option<String>,
    /// Tables that a foreign key points at, with the line.
    references: Vec<(String, usize)>,
}

/// Rule `schema`: each table has a class, each derived one is rebuilt, none of evidence hangs on a derived one.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let tables: Vec<Table> = tree
        .texts()
        .filter(|(path, _)| path.starts_with(MIGRATIONS) && extension(path) == Some("sql"))
        .flat_map(|(path, text)| tables(path, text))
        .collect();
    let classes: BTreeMap<&str, &str> =
        tables.iter().filter_map(|table| Some((table.name.as_str(), table.class.as_deref()?))).collect();
    let rebuilt = |name: &str| {
        tree.rust()
            .filter(|(path, _)| {
                path.strip_prefix(REBUILD).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            })
            .any(|(path, source)| {
                !tree.is_test_only(path) && source.literals().any(|(_, literal)| names(literal, name))
            })
    };

    let mut findings = Vec::new();
    for table in &tables {
        let mut found = |line, says: String| findings.push(Finding::new(RULE, &table.path, line, says));
        match table.class.as_deref() {
            None => found(
                table.line,
                format!(
                    "{} has no class: write `-- class: {}` on the line above it",
                    table.name,
                    CLASSES.join("|")
                ),
            ),
            Some(class) if !CLASSES.contains(&class) => {
                found(table.line, format!("`{class}` is no class: use one of {}", CLASSES.join(", ")));
            }
            Some("derived") if !rebuilt(&table.name) => found(
                table.line,
                format!(
                    "derived {} is not named in signet-store/src/rebuild.rs (INV-7): rebuild it there",
                    table.name
                ),
            ),
            Some("evidence") => {
                for (target, line) in &table.references {
                    if classes.get(target.as_str()) == Some(&"derived") {
                        found(
                            *line,
                            format!(
                                "evidence {} points at derived {target} (INV-2): turn it round",
                                table.name
                            ),
                        );
                    }
                }
            }
            Some(_) => {}
        }
    }
    findings
}

/// Whether `text` holds `name` as a whole identifier.
fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

fn tables(path: &str, text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut above = "";
    for (index, line) in text.lines().enumerate() {
        let code = line.split("--").next().unwrap_or_default();
        if let Some(name) = created_table(code) {
            let class = above.trim().strip_prefix("-- class:").map(|class| class.trim().to_owned());
            tables.push(Table {
                path: path.to_owned(),
                line: index + 1,
                name,
                class,
                references: Vec::new(),
            });
        } else if code.starts_with("CREATE ") {
            above = line;
            continue;
        }
        if let Some(table) = tables.last_mut() {
            table.references.extend(referenced(code).map(|target| (target.to_owned(), index + 1)));
        }
        above = line;
    }
    tables
}

/// The name in `CREATE [VIRTUAL] TABLE name`. A vocabulary table is a view on its index and holds nothing.
fn created_table(code: &str) -> Option<String> {
    if code.contains("USING fts5vocab") {
        return None;
    }
    let rest = code.strip_prefix("CREATE TABLE ").or_else(|| code.strip_prefix("CREATE VIRTUAL TABLE "))?;
    let rest = rest.strip_prefix("IF NOT EXISTS ").unwrap_or(rest);
    Some(rest.split(|c: char| c.is_whitespace() || c == '(').next()?.to_owned())
}

fn referenced(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("REFERENCES ").filter_map(|(at, word)| {
        code[at + word.len()..].trim_start().split(|c: char| c.is_whitespace() || c == '(' || c == ',').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REBUILD_FTS: (&str, &str) =
        ("crates/signet-store/src/rebuild.rs", "const T: &str = \"DELETE FROM fts\";");

    fn found(sql: &str) -> Vec<(usize, String)> {
        let tree = Tree::of([("crates/signet-store/migrations/0001_a.sql", sql), REBUILD_FTS]);
        check(&tree)
            .into_iter()
            .map(|f| (f.line, f.says.split(':').next().unwrap_or_default().to_owned()))
            .collect()
    }

    #[test]
    fn a_table_with_its_class_is_fine() {
        let sql = "-- class: evidence\nCREATE TABLE a (\n x TEXT REFERENCES b (id)\n) STRICT;\n\
                   -- class: derived\nCREATE VIRTUAL TABLE fts USING fts5(x);\n\
                   CREATE VIRTUAL TABLE fts_vocab USING fts5vocab(fts, 'col');\n\
                   CREATE VIEW v AS SELECT 1;";
        assert_eq!(found(sql), []);
    }

    #[test]
    fn a_table_without_a_class_or_with_a_wrong_one_is_named() {
        assert_eq!(found("CREATE TABLE a (x);"), [(1, "a has no class".to_owned())]);
        assert_eq!(found("-- class: temp\nCREATE TABLE a (x);"), [(2, "`temp` is no class".to_owned())]);
    }

    /// INV-7: no derived table that cannot be rebuilt.
    #[test]
    fn a_derived_table_that_is_not_rebuilt_is_named() {
        assert_eq!(
            found("-- class: derived\nCREATE TABLE ft (x);"),
            [(2, "derived ft is not named in signet-store/src/rebuild.rs (INV-7)".to_owned())]
        );
    }

    /// INV-2: dropping what is derived can never reach evidence.
    #[test]
    fn a_foreign_key_from_evidence_to_derived_is_named() {
        let sql = "-- class: derived\nCREATE TABLE fts (x);\n-- class: evidence\nCREATE TABLE a (\n  x TEXT,\n  FOREIGN KEY (x) REFERENCES fts (x)\n);";
        assert_eq!(found(sql), [(6, "evidence a points at derived fts (INV-2)".to_owned())]);
    }
}

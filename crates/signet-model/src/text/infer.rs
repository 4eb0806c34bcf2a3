//! The type of a memory that names none, from whole words of its text.

/// Word groups in the order in which they win. An entry of two words must stand side by side.
const GROUPS: [(&str, &[&str]); 5] = [
    ("preference", &["prefer", "prefers", "preferred", "likes", "want", "wants"]),
    ("decision", &["decided", "agreed", "will use"]),
    ("learning", &["learned", "discovered", "til"]),
    ("issue", &["bug", "issue", "broken"]),
    ("rule", &["never", "always", "must"]),
];

/// The first group with a whole-word hit in any case, else `fact`. "debug" is not an issue.
pub fn kind(text: &str) -> &'static str {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let holds = |entry: &&str| match entry.split_once(' ') {
        Some((first, second)) => words.windows(2).any(|pair| pair == [first, second]),
        None => words.contains(entry),
    };
    GROUPS.iter().find(|(_, entries)| entries.iter().any(holds)).map_or("fact", |(kind, _)| kind)
}

#[cfg(test)]
mod tests;

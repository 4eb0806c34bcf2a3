//! The two spellings of a key: `camelCase` and `snake_case`; and the nearest known word to an unknown one.

/// `chunkOverlap` -> `chunk_overlap`. Words that are `snake_case` already stay.
pub(crate) fn snake(word: &str) -> String {
    let word = word.replace("MiB", "Mib");
    let mut out = String::with_capacity(word.len() + 4);
    for ch in word.chars() {
        if ch.is_ascii_uppercase() {
            out.push('_');
            out.push(ch.to_ascii_lowercase());
        } else {
            out.push(ch);
        }
    }
    out
}

/// `chunk_overlap` -> `chunkOverlap`. Words that are `camelCase` already stay.
pub(crate) fn camel(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut upper = false;
    for ch in word.chars() {
        if ch == '_' && !out.is_empty() {
            upper = true;
        } else if upper {
            out.push(ch.to_ascii_uppercase());
            upper = false;
        } else {
            out.push(ch);
        }
    }
    out
}

/// Whether `written` is `known` in one of its two spellings.
pub(crate) fn same(known: &str, written: &str) -> bool {
    written == known || written == snake(known) || written == camel(known)
}

/// The candidate with the fewest single-letter changes, at most three and at most half of the word.
pub(crate) fn nearest<'c>(written: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let most = 3.min(written.chars().count().div_ceil(2));
    candidates
        .map(|candidate| (distance(&camel(written), &camel(candidate)), candidate))
        .filter(|(changes, _)| *changes <= most)
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance in characters.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins() {
        for (camel_case, snake_case) in [
            ("chunkOverlap", "chunk_overlap"),
            ("pipelineV2", "pipeline_v2"),
            ("maxFileMiB", "max_file_mib"),
            ("alpha", "alpha"),
        ] {
            assert_eq!(snake(camel_case), snake_case);
            assert!(same(camel_case, snake_case) && same(camel_case, camel_case));
        }
        assert!(same("min_score", "minScore"));
        assert!(!same("minScore", "MinScore"));
    }

    #[test]
    fn nearest_word() {
        let known = ["alpha", "candidates", "top_k"];
        assert_eq!(nearest("alpa", known.into_iter()), Some("alpha"));
        assert_eq!(nearest("candidate", known.into_iter()), Some("candidates"));
        assert_eq!(nearest("zzz", known.into_iter()), None);
    }
}

//! Whether a text names a date: a numeric one, or a month by name.

/// Month names as they are written inside a sentence. `May` and `March` only with a capital.
const MONTHS: &[&str] = &[
    "january",
    "february",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december", // English
    "januar",
    "februar",
    "marz",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember", // German
    "janvier",
    "février",
    "avril",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre", // French
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre", // Spanish
    "gennaio",
    "febbraio",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "settembre",
    "ottobre",
    "dicembre", // Italian
    "janeiro",
    "fevereiro",
    "março",
    "maio",
    "junho",
    "julho",
    "setembro",
    "outubro",
    "novembro",
    "dezembro", // Portuguese
];

/// Whether the text names a date or a month.
pub(super) fn has_date(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '/' | '年' | '月'))).any(is_date)
}

fn is_date(word: &str) -> bool {
    is_numeric_date(word)
        || matches!(word, "May" | "March")
        || (word.len() >= 3 && MONTHS.contains(&word.to_lowercase().as_str()))
        || (word.contains('月') && word.contains(|c: char| c.is_numeric()))
}

/// `2026-03-04` or `2026/03/04`, alone or before a time.
fn is_numeric_date(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 10
        && bytes[4] == bytes[7]
        && matches!(bytes[4], b'-' | b'/')
        && [0, 1, 2, 3, 5, 6, 8, 9].iter().all(|at| bytes[*at].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::has_date;

    #[test]
    fn dates_and_months_are_seen_and_verbs_are_not() {
        for text in
            ["due 2026-03-04.", "on 2026/03/04", "in October", "4 May 2023", "im März", "2026年3月4日"]
        {
            assert!(has_date(text), "{text}");
        }
        for text in ["you may march on", "version 1.2.3", "10-4", "number 2026"] {
            assert!(!has_date(text), "{text}");
        }
    }
}

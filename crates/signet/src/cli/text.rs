//! Text for terminals and pipes: display width, cutting, and characters that must not reach a terminal.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Columns of a text on a terminal.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A character that moves the cursor, sets a title, colours, or turns the writing direction.
fn steers(ch: char) -> bool {
    ch.is_control()
        || matches!(ch, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// The text in one line: line breaks become spaces, steering characters `�`.
pub(crate) fn one_line(text: &str) -> String {
    let joined = text.replace("\r\n", " ");
    joined
        .chars()
        .map(|ch| match ch {
            '\n' | '\r' | '\t' => ' ',
            ch if steers(ch) => '\u{fffd}',
            ch => ch,
        })
        .collect()
}

/// The text with its line breaks; steering characters become `�`.
pub(crate) fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.chars().map(|ch| if ch != '\n' && ch != '\t' && steers(ch) { '\u{fffd}' } else { ch }).collect()
}

/// The text as one tab-separated cell: tab, line break and backslash escaped, the rest as it is.
pub(crate) fn tab_safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            ch if steers(ch) => out.push('\u{fffd}'),
            ch => out.push(ch),
        }
    }
    out
}

/// Cut to `columns` between two graphemes, with `…` when something is missing.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    for grapheme in text.graphemes(true) {
        if width(&out) + width(grapheme) + 1 > columns {
            break;
        }
        out.push_str(grapheme);
    }
    out.push('…');
    out
}

/// `1 memory`, `3 memories`.
pub(crate) fn count(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A size in the unit that fits: `900 bytes`, `12.3 KiB`, `4.0 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    const KIB: f64 = 1024.0;
    // Precise enough: a size is shown with one digit after the point.
    let size = bytes as f64;
    match size {
        size if size < KIB => format!("{bytes} bytes"),
        size if size < KIB * KIB => format!("{:.1} KiB", size / KIB),
        size if size < KIB * KIB * KIB => format!("{:.1} MiB", size / KIB / KIB),
        size => format!("{:.1} GiB", size / KIB / KIB / KIB),
    }
}

/// Wrapped at words to `columns`; words that are longer are broken.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut out = Vec::new();
    for paragraph in lines(text).lines() {
        let mut line = String::new();
        for word in paragraph.split_word_bounds() {
            if width(&line) + width(word) > columns && !line.trim().is_empty() {
                out.push(line.trim_end().to_owned());
                line = String::new();
            }
            if !(line.is_empty() && word.trim().is_empty()) {
                for grapheme in word.graphemes(true) {
                    if width(&line) + width(grapheme) > columns {
                        out.push(std::mem::take(&mut line));
                    }
                    line.push_str(grapheme);
                }
            }
        }
        out.push(line.trim_end().to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_keep_graphemes_whole() {
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("東京都", 5), "東京…");
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(cut("abc", 3), "abc");
    }

    #[test]
    fn cells_are_one_line_and_can_be_read_back() {
        assert_eq!(tab_safe("a\tb\nc\\d\u{1b}"), "a\\tb\\nc\\\\d\u{fffd}");
        assert_eq!(one_line("a\r\nb\tc\u{7}"), "a b c\u{fffd}");
        assert_eq!(lines("a\nb\u{9b}2J"), "a\nb\u{fffd}2J");
    }

    #[test]
    fn numbers_come_with_the_noun_and_the_unit_that_fit() {
        assert_eq!(
            [count(1, "memory", "memories"), count(0, "memory", "memories")],
            ["1 memory", "0 memories"]
        );
        assert_eq!(
            [size(900), size(1536), size(4 << 20), size(3 << 30)],
            ["900 bytes", "1.5 KiB", "4.0 MiB", "3.0 GiB"]
        );
    }

    #[test]
    fn wrapping_never_exceeds_the_width() {
        let wrapped = wrap("The quick brown fox jumps over 東京都東京都 and averyveryverylongword", 12);
        assert!(wrapped.iter().all(|line| width(line) <= 12), "{wrapped:?}");
        assert_eq!(
            wrapped.concat().replace(' ', ""),
            "Thequickbrownfoxjumpsover東京都東京都andaveryveryverylongword"
        );
    }
}

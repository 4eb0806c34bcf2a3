//! Signet's own injected text, recognised wherever it comes back.
//!
//! What the daemon put into a prompt is no evidence of anything. [`cut`] takes it out: the envelope
//! as it was written, HTML-escaped, inside JSON strings, in the form stored text is escaped to, with
//! lost line breaks, split over two messages, and the older markers.

/// Element names whose spans are ours.
const ELEMENTS: [&str; 2] = ["signet-memory", "memory-feedback"];
/// How `<` may be spelled.
const OPENERS: [&str; 8] = ["<", "‹", "&lt;", "&#60;", "&#x3c;", "\\u003c", "\\x3c", "&amp;lt;"];
/// How `>` may be spelled.
const CLOSERS: [&str; 8] = [">", "›", "&gt;", "&#62;", "&#x3e;", "\\u003e", "\\x3e", "&amp;gt;"];
/// Beginnings of older lines that were put before an injected list.
const MARKS: [&str; 3] = ["[signet active", "[memory active", "[signet:recall"];
/// Beginning of the older section.
const SECTION: &str = "## relevant memories (auto-loaded";

/// A text without what Signet injected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What somebody really said.
    pub text: String,
    /// Something was taken out.
    pub removed: bool,
}

/// Takes Signet's own text out. A beginning without its end reaches to the end of the text, an end
/// without its beginning to the start, for the rest is in the neighbouring message.
pub fn cut(text: &str) -> Cut {
    if !suspicious(text) {
        return Cut { text: text.to_owned(), removed: false };
    }
    let mut rest = text.to_owned();
    for name in ELEMENTS {
        rest = without_element(&rest, name);
    }
    let rest = without_marks(&rest);
    Cut { removed: rest != text, text: rest }
}

/// A cheap first look: almost every text has none of the words.
fn suspicious(text: &str) -> bool {
    let holds =
        |word: &str| text.as_bytes().windows(word.len()).any(|w| w.eq_ignore_ascii_case(word.as_bytes()));
    ELEMENTS.iter().chain(&MARKS).any(|word| holds(word)) || holds(SECTION)
}

#[derive(Debug, Clone, Copy)]
struct Tag {
    start: usize,
    end: usize,
    closing: bool,
}

fn without_element(text: &str, name: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    let mut depth = 0_usize;
    for tag in tags(&lower, name) {
        if tag.closing {
            if depth == 0 {
                kept.clear();
            }
            depth = depth.saturating_sub(1);
        } else {
            if depth == 0 {
                kept.push_str(&text[at..tag.start]);
            }
            depth += 1;
        }
        at = tag.end;
    }
    if depth == 0 {
        kept.push_str(&text[at..]);
    }
    kept
}

fn tags(lower: &str, name: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut from = 0;
    while let Some(step) = lower[from..].find(name) {
        let at = from + step;
        from = at + name.len();
        let Some((start, closing)) = opener(&lower[..at]) else { continue };
        let after = &lower[from..];
        let word_ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        if !word_ends {
            continue;
        }
        // A tag that never closes is the cut-off end of a message.
        let end = CLOSERS
            .iter()
            .filter_map(|mark| after.find(mark).map(|at| at + mark.len()))
            .min()
            .map_or(lower.len(), |length| from + length);
        tags.push(Tag { start, end, closing });
        from = end;
    }
    tags
}

/// Where the tag begins whose name follows `before`, and whether it is a closing one.
fn opener(before: &str) -> Option<(usize, bool)> {
    let trimmed = before.trim_end();
    let (trimmed, closing) = match trimmed.strip_suffix("\\/").or_else(|| trimmed.strip_suffix('/')) {
        Some(rest) => (rest.trim_end(), true),
        None => (trimmed, false),
    };
    let mark = OPENERS.iter().filter(|mark| trimmed.ends_with(*mark)).max_by_key(|mark| mark.len())?;
    Some((trimmed.len() - mark.len(), closing))
}

/// Drops older marker lines with the list that follows them, and the older section up to the next
/// heading.
fn without_marks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = Inside::Nothing;
    for line in text.split_inclusive('\n') {
        let lower = line.trim_start().to_ascii_lowercase();
        if MARKS.iter().any(|mark| lower.starts_with(mark)) {
            inside = Inside::List;
        } else if lower.starts_with(SECTION) {
            inside = Inside::Section;
        } else if inside.ends_before(line) {
            inside = Inside::Nothing;
        }
        if inside == Inside::Nothing {
            kept.push_str(line);
        }
    }
    kept
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    List,
    Section,
}

impl Inside {
    fn ends_before(self, line: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::List => !line.starts_with(['-', '*', '•', ' ', '\t']),
            Self::Section => line.starts_with('#'),
        }
    }
}

#[cfg(test)]
mod tests;

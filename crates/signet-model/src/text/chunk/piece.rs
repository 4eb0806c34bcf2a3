//! The pieces that a long text is joined from again: sentences, lines, code blocks.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::normal::is_blank;

/// Contiguous pieces of the text, none above twice `target` unless one grapheme alone is.
pub(super) fn pieces(text: &str, target: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    for block in blocks(text) {
        match block {
            Block::Code(code) if fits(code, target) => pieces.push(code),
            Block::Code(code) => {
                for line in code.split_inclusive('\n') {
                    bounded(line, target, &mut pieces);
                }
            }
            Block::Line(line) => {
                for sentence in sentences(line) {
                    bounded(sentence, target, &mut pieces);
                }
            }
        }
    }
    pieces
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block<'t> {
    Line(&'t str),
    /// A fenced code block with both of its fences; without the closing one it ends with the text.
    Code(&'t str),
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match (open, fence(line)) {
            (None, Some(mark)) => open = Some((at, mark)),
            (None, None) => blocks.push(Block::Line(line)),
            (Some((start, mark)), Some(other)) if other.starts_with(mark) && line.trim() == other => {
                blocks.push(Block::Code(&text[start..end]));
                open = None;
            }
            (Some(_), _) => {}
        }
        at = end;
    }
    if let Some((start, _)) = open {
        blocks.push(Block::Code(&text[start..]));
    }
    blocks
}

/// The run of three or more backticks or tildes that a line begins with.
fn fence(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = text.find(|c| c != mark).unwrap_or(text.len());
    (run >= 3 && line.len() - text.len() <= 3).then(|| &text[..run])
}

fn fits(text: &str, target: usize) -> bool {
    text.chars().count() <= target.saturating_mul(2)
}

/// What stands at the end of the sentence so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    No,
    /// `.` `!` `?`: ends a sentence when white space follows.
    Narrow,
    /// `。` `！` `？`: ends one by itself, for no space is written after it.
    Wide,
    /// White space after a stop.
    Over,
}

/// Sentences of a line, each with the white space that follows it.
fn sentences(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut stop = Stop::No;
    for (at, grapheme) in line.grapheme_indices(true) {
        let next = match grapheme.chars().next() {
            Some('.' | '!' | '?') => Stop::Narrow,
            Some('。' | '！' | '？') => Stop::Wide,
            Some(c) if is_blank(c) && stop != Stop::No => Stop::Over,
            _ => Stop::No,
        };
        let closes = match stop {
            Stop::Over => next != Stop::Over,
            Stop::Wide => next == Stop::No,
            Stop::No | Stop::Narrow => false,
        };
        if closes {
            sentences.push(&line[start..at]);
            start = at;
        }
        stop = next;
    }
    sentences.push(&line[start..]);
    sentences
}

/// The piece, cut at white space (else at a grapheme) where it is above twice the target.
fn bounded<'t>(piece: &'t str, target: usize, pieces: &mut Vec<&'t str>) {
    if fits(piece, target) {
        pieces.push(piece);
        return;
    }
    let mut start = 0;
    let mut length = 0;
    let mut blank: Option<(usize, usize)> = None;
    for (at, grapheme) in piece.grapheme_indices(true) {
        let chars = grapheme.chars().count();
        if length > 0 && length + chars > target {
            let (cut, kept) = blank.take().unwrap_or((at, length));
            pieces.push(&piece[start..cut]);
            start = cut;
            length -= kept;
        }
        length += chars;
        if grapheme.chars().all(is_blank) {
            blank = Some((at + grapheme.len(), length));
        }
    }
    if start < piece.len() {
        pieces.push(&piece[start..]);
    }
}

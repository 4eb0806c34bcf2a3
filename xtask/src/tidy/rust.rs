//! Just enough of Rust's lexer: what is code, what is a literal, what is a comment, what is a test.

use std::ops::Range;

/// A Rust file with its parts told apart. Offsets are those of the original text.
#[derive(Debug, Default)]
pub(crate) struct Source {
    text: String,
    /// The text with comments and the insides of literals replaced by spaces.
    code: String,
    literals: Vec<Range<usize>>,
    tests: Vec<Range<usize>>,
}

/// A function marked as a test.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestFn<'s> {
    /// Its name.
    pub(crate) name: &'s str,
    /// Where its attribute begins.
    pub(crate) start: usize,
    /// Its body with the braces.
    pub(crate) body: Range<usize>,
}

impl Source {
    /// Tells the parts of a text apart.
    pub(crate) fn parse(text: &str) -> Self {
        let (code, literals) = mask(text);
        let tests = cfg_test_items(&code);
        Self { text: text.to_owned(), code, literals, tests }
    }

    /// The code: comments and literals are blank.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The text as it stands.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        1 + self.text[..offset].matches('\n').count()
    }

    /// Whether the offset is inside an item under `#[cfg(test)]`.
    pub(crate) fn in_tests(&self, offset: usize) -> bool {
        self.tests.iter().any(|range| range.contains(&offset))
    }

    /// String literals with the offset of their first character.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, &str)> {
        self.literals.iter().map(|range| (range.start, &self.text[range.clone()]))
    }

    /// Identifiers and keywords of the code.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        words(&self.code)
    }

    /// Names of the modules that `#[cfg(test)] mod name;` declares.
    pub(crate) fn test_modules(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().filter_map(|range| {
            let item = self.code[range.clone()].strip_suffix(';')?;
            let (before, name) = item.rsplit_once(char::is_whitespace)?;
            before.ends_with("mod").then_some(name)
        })
    }

    /// Functions marked `#[test]` or `#[something::test]`.
    pub(crate) fn test_fns(&self) -> Vec<TestFn<'_>> {
        attributes(&self.code)
            .filter(|(_, inside)| {
                let path = inside.split('(').next().unwrap_or_default().trim();
                path == "test" || path.ends_with("::test")
            })
            .filter_map(|(range, _)| self.function_after(range))
            .collect()
    }

    fn function_after(&self, attribute: Range<usize>) -> Option<TestFn<'_>> {
        let after = attribute.end;
        let (keyword, _) = words(&self.code[after..]).find(|(_, word)| *word == "fn")?;
        let (_, name) = words(&self.code[after + keyword + 2..]).next()?;
        let open = after + self.code[after..].find('{')?;
        Some(TestFn { name, start: attribute.start, body: open..matching_brace(&self.code, open)? })
    }
}

fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(is_word)?;
        let end = code[start..].find(|c| !is_word(c)).map_or(code.len(), |length| start + length);
        at = end;
        Some((start, &code[start..end]))
    })
}

/// Outer attributes: their range with `#[` and `]`, and what is inside.
fn attributes(code: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    code.match_indices("#[").filter_map(|(start, _)| {
        let mut depth = 0_usize;
        let length = code[start..].find(|c| {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            c == ']' && depth == 0
        })?;
        Some((start..start + length + 1, code[start + 2..start + length].trim()))
    })
}

/// Items under `#[cfg(test)]`, from the attribute to the closing brace or semicolon.
fn cfg_test_items(code: &str) -> Vec<Range<usize>> {
    attributes(code)
        .filter(|(_, inside)| inside.starts_with("cfg(") && words(inside).any(|(_, word)| word == "test"))
        .filter(|(_, inside)| !inside.contains("not("))
        .filter_map(|(attribute, _)| {
            let end = attribute.end + code[attribute.end..].find(['{', ';'])?;
            let end = if code.as_bytes()[end] == b';' { end + 1 } else { matching_brace(code, end)? };
            Some(attribute.start..end)
        })
        .collect()
}

/// The offset after the brace that closes the one at `open`.
pub(crate) fn matching_brace(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(offset + 1);
        }
    }
    None
}

/// Blanks comments and the insides of literals, and lists the string literals.
fn mask(text: &str) -> (String, Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut literals = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let (inside, end) = if rest.starts_with("//") {
            let end = at + rest.find('\n').unwrap_or(rest.len());
            (at..end, end)
        } else if rest.starts_with("/*") {
            let end = at + block_comment(rest);
            (at..end, end)
        } else if let Some(inside) = string_literal(text, at) {
            literals.push(inside.clone());
            (inside.clone(), (inside.end + 1).min(bytes.len()))
        } else if let Some(length) = char_literal(rest) {
            (at + 1..at + length - 1, at + length)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        for byte in &mut code[inside] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    (String::from_utf8(code).unwrap_or_default(), literals)
}

/// Length of a block comment, which may nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The inside of a string literal that begins at `at`, plain or raw. The prefix letters are code.
fn string_literal(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = &text[at..];
    if let Some(inside) = rest.strip_prefix('"') {
        let mut escaped = false;
        let length = inside.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        return Some(at + 1..at + 1 + length.unwrap_or(inside.len()));
    }
    let hashes = rest.strip_prefix('r')?.bytes().take_while(|byte| *byte == b'#').count();
    let after_word =
        text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() && c != 'b' && c != 'c');
    if after_word || !rest[1 + hashes..].starts_with('"') {
        return None;
    }
    let start = at + 2 + hashes;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(start..text[start..].find(&close).map_or(text.len(), |length| start + length))
}

/// Length of a character literal with its quotes; a lifetime is none.
fn char_literal(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if let Some(escape) = inside.strip_prefix('\\') {
        let first = escape.chars().next()?.len_utf8();
        return escape[first..].find('\'').map(|length| 2 + first + length + 1);
    }
    let first = inside.chars().next()?;
    inside[first.len_utf8()..].starts_with('\'').then_some(2 + first.len_utf8())
}

#[cfg(test)]
mod tests;

//! Characters that a person cannot see and a model reads.

/// Whether the text holds invisible characters that no script, emoji or layout explains.
pub(super) fn found(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.chars().any(is_invisible) {
        return false;
    }
    let chars: Vec<char> = text.chars().collect();
    let flags = flag_tags(&chars);
    let isolates = balanced_isolates(&chars);
    chars
        .iter()
        .enumerate()
        .any(|(at, c)| is_invisible(*c) && !flags[at] && !isolates[at] && !explained(&chars, at))
}

/// Zero-width, bidirectional control, tag, variation and interlinear characters.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

fn explained(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|index| chars.get(index)).copied();
    let after = chars.get(at + 1).copied();
    match chars[at] {
        '\u{200d}' => {
            (before.is_some_and(ends_emoji) && after.is_some_and(is_emoji))
                || inside(before, after, needs_joiners)
        }
        '\u{200c}' => inside(before, after, needs_joiners),
        '\u{200b}' => inside(before, after, unspaced),
        '\u{200e}' | '\u{200f}' | '\u{61c}' => near_right_to_left(chars, at),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            before.is_some_and(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(c))
        }
        _ => false,
    }
}

fn inside(before: Option<char>, after: Option<char>, script: fn(char) -> bool) -> bool {
    before.is_some_and(script) && after.is_some_and(script)
}

const fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{2bff}')
}

/// What may stand before a joiner in an emoji: the picture, its variation selector or its skin tone.
const fn ends_emoji(c: char) -> bool {
    is_emoji(c) || c == '\u{fe0f}'
}

/// Scripts whose spelling uses joiners: Arabic, Syriac, the Indic family, Mongolian and their kin.
const fn needs_joiners(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Scripts that mark possible line breaks with a zero-width space.
const fn unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

const fn right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether a right-to-left letter stands beside, past at most two marks, digits or spaces.
fn near_right_to_left(chars: &[char], at: usize) -> bool {
    let from = at.saturating_sub(3);
    let to = (at + 4).min(chars.len());
    chars[from..to].iter().any(|c| *c != '\u{61c}' && right_to_left(*c))
}

/// Positions of the tags in well-formed flags of regions: a black flag, at most six tags, a cancel tag.
fn flag_tags(chars: &[char]) -> Vec<bool> {
    let mut in_flag = vec![false; chars.len()];
    for (flag, _) in chars.iter().enumerate().filter(|(_, c)| **c == '\u{1f3f4}') {
        let is_tag = |c: &&char| matches!(**c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
        let tags = chars[flag + 1..].iter().take(7).take_while(is_tag).count();
        if (3..=6).contains(&tags) && chars.get(flag + 1 + tags) == Some(&'\u{e007f}') {
            in_flag[flag + 1..=flag + 1 + tags].fill(true);
        }
    }
    in_flag
}

/// Positions of the isolates that are opened and closed within one paragraph.
fn balanced_isolates(chars: &[char]) -> Vec<bool> {
    let mut balanced = vec![false; chars.len()];
    let mut open = Vec::new();
    for (at, c) in chars.iter().enumerate() {
        match c {
            '\u{2066}'..='\u{2068}' => open.push(at),
            '\u{2069}' => {
                if let Some(start) = open.pop() {
                    balanced[start] = true;
                    balanced[at] = true;
                }
            }
            '\n' => open.clear(),
            _ => {}
        }
    }
    balanced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_found() {
        for text in [
            "a\u{200b}b",
            "pay\u{2060}ment",
            "\u{202e}gnp.exe",
            "hi\u{e0049}\u{e0067}",
            "a\u{fe0f}\u{fe0e}\u{fe01}",
            " \u{fe0f}",
            "x\u{fff9}y",
            "mid\u{feff}dle",
            "Latin\u{200f} only",
            "open \u{2066}isolate",
            "a\u{200d}b",
            "\u{1f3f4}\u{e0067}",
        ] {
            assert!(found(text), "{text:?}");
        }
    }

    #[test]
    fn what_scripts_and_emoji_need_is_not_a_finding() {
        for text in [
            "family \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{1f44d}\u{1f3fd} thanks \u{2764}\u{fe0f}",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{915}\u{94d}\u{200d}\u{937}",
            "\u{5e9}\u{5dc}\u{5d5}\u{5dd}\u{200f} (1)",
            "a \u{2068}name\u{2069} b",
            "\u{feff}first line",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "\u{e20}\u{e32}\u{200b}\u{e29}\u{e32}",
            "plain",
        ] {
            assert!(!found(text), "{text:?}");
        }
    }
}

//! The Porter stemmer exactly as FTS5's `porter` tokenizer applies it.
//!
//! It works on bytes: FTS5 does, and a word outside ASCII may lose a byte of a character there.

/// Words longer than this many bytes are not stemmed.
const LONGEST: usize = 64;

/// When a rule applies to what stands before its suffix.
type Condition = fn(&[u8]) -> bool;

/// Suffix, condition on the stem, replacement.
type Rule = (&'static str, Condition, &'static str);

const STEP_2: &[Rule] = &[
    ("ational", measure_above_0, "ate"),
    ("tional", measure_above_0, "tion"),
    ("enci", measure_above_0, "ence"),
    ("anci", measure_above_0, "ance"),
    ("izer", measure_above_0, "ize"),
    ("logi", measure_above_0, "log"),
    ("bli", measure_above_0, "ble"),
    ("alli", measure_above_0, "al"),
    ("entli", measure_above_0, "ent"),
    ("eli", measure_above_0, "e"),
    ("ousli", measure_above_0, "ous"),
    ("ization", measure_above_0, "ize"),
    ("ation", measure_above_0, "ate"),
    ("ator", measure_above_0, "ate"),
    ("alism", measure_above_0, "al"),
    ("iveness", measure_above_0, "ive"),
    ("fulness", measure_above_0, "ful"),
    ("ousness", measure_above_0, "ous"),
    ("aliti", measure_above_0, "al"),
    ("iviti", measure_above_0, "ive"),
    ("biliti", measure_above_0, "ble"),
];

const STEP_3: &[Rule] = &[
    ("ical", measure_above_0, "ic"),
    ("ness", measure_above_0, ""),
    ("icate", measure_above_0, "ic"),
    ("iciti", measure_above_0, "ic"),
    ("ful", measure_above_0, ""),
    ("ative", measure_above_0, ""),
    ("alize", measure_above_0, "al"),
];

const STEP_4: &[Rule] = &[
    ("al", measure_above_1, ""),
    ("ance", measure_above_1, ""),
    ("ence", measure_above_1, ""),
    ("er", measure_above_1, ""),
    ("ic", measure_above_1, ""),
    ("able", measure_above_1, ""),
    ("ible", measure_above_1, ""),
    ("ant", measure_above_1, ""),
    ("ement", measure_above_1, ""),
    ("ment", measure_above_1, ""),
    ("ent", measure_above_1, ""),
    ("ion", measure_above_1_after_s_or_t, ""),
    ("ou", measure_above_1, ""),
    ("ism", measure_above_1, ""),
    ("ate", measure_above_1, ""),
    ("iti", measure_above_1, ""),
    ("ous", measure_above_1, ""),
    ("ive", measure_above_1, ""),
    ("ize", measure_above_1, ""),
];

/// The stem of a folded word; words under 3 or over 64 bytes stay as they are.
pub(super) fn stem(word: &[u8]) -> Vec<u8> {
    let mut buf = word.to_vec();
    if word.len() > LONGEST || word.len() < 3 {
        return buf;
    }
    plural(&mut buf);
    past_and_progressive(&mut buf);
    if buf.last() == Some(&b'y') && has_vowel(&buf[..buf.len() - 1]) {
        let end = buf.len() - 1;
        buf[end] = b'i';
    }
    for rules in [STEP_2, STEP_3, STEP_4] {
        apply(&mut buf, rules);
    }
    final_letters(&mut buf);
    buf
}

fn plural(buf: &mut Vec<u8>) {
    let n = buf.len();
    if buf[n - 1] != b's' {
        return;
    }
    if buf[n - 2] == b'e' {
        let sses = n > 4 && buf[n - 4] == b's' && buf[n - 3] == b's';
        let ies = n > 3 && buf[n - 3] == b'i';
        buf.truncate(if sses || ies { n - 2 } else { n - 1 });
    } else if buf[n - 2] != b's' {
        buf.truncate(n - 1);
    }
}

fn past_and_progressive(buf: &mut Vec<u8>) {
    if ends(buf, "eed") {
        if measure_above_0(&buf[..buf.len() - 3]) {
            buf.truncate(buf.len() - 1);
        }
        return;
    }
    let cut = match (ends(buf, "ed"), ends(buf, "ing")) {
        (true, _) => 2,
        (_, true) => 3,
        _ => return,
    };
    if !has_vowel(&buf[..buf.len() - cut]) {
        return;
    }
    buf.truncate(buf.len() - cut);
    if ends(buf, "at") || ends(buf, "bl") || ends(buf, "iz") {
        buf.push(b'e');
        return;
    }
    let n = buf.len();
    let last = buf[n - 1];
    if n > 1 && !is_vowel(last, false) && !b"lsz".contains(&last) && last == buf[n - 2] {
        buf.truncate(n - 1);
    } else if measure_is_1(buf) && ends_consonant_vowel_consonant(buf) {
        buf.push(b'e');
    }
}

fn final_letters(buf: &mut Vec<u8>) {
    let n = buf.len();
    if buf[n - 1] == b'e' {
        let stem = &buf[..n - 1];
        if measure_above_1(stem) || (measure_is_1(stem) && !ends_consonant_vowel_consonant(stem)) {
            buf.truncate(n - 1);
        }
    }
    let n = buf.len();
    if n > 1 && buf[n - 1] == b'l' && buf[n - 2] == b'l' && measure_above_1(&buf[..n - 1]) {
        buf.truncate(n - 1);
    }
}

/// The first rule whose suffix fits decides, whether its condition holds or not.
fn apply(buf: &mut Vec<u8>, rules: &[Rule]) {
    if let Some((suffix, condition, replacement)) = rules.iter().find(|rule| ends(buf, rule.0)) {
        let stem = buf.len() - suffix.len();
        if condition(&buf[..stem]) {
            buf.truncate(stem);
            buf.extend_from_slice(replacement.as_bytes());
        }
    }
}

/// Whether the word is longer than the suffix and ends with it.
fn ends(word: &[u8], suffix: &str) -> bool {
    word.len() > suffix.len() && word.ends_with(suffix.as_bytes())
}

const fn is_vowel(byte: u8, y_is_vowel: bool) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u') || (y_is_vowel && byte == b'y')
}

/// Length up to the first consonant after a vowel; `None` when there is none.
fn vowel_consonant(stem: &[u8], after_consonant: bool) -> Option<usize> {
    let mut consonant = after_consonant;
    let mut seen_vowel = false;
    for (i, &byte) in stem.iter().enumerate() {
        consonant = !is_vowel(byte, consonant);
        if seen_vowel && consonant {
            return Some(i + 1);
        }
        seen_vowel |= !consonant;
    }
    None
}

fn measure_above_0(stem: &[u8]) -> bool {
    vowel_consonant(stem, false).is_some()
}

fn measure_above_1(stem: &[u8]) -> bool {
    vowel_consonant(stem, false).is_some_and(|n| vowel_consonant(&stem[n..], true).is_some())
}

fn measure_is_1(stem: &[u8]) -> bool {
    vowel_consonant(stem, false).is_some_and(|n| vowel_consonant(&stem[n..], true).is_none())
}

fn measure_above_1_after_s_or_t(stem: &[u8]) -> bool {
    matches!(stem.last(), Some(b's' | b't')) && measure_above_1(stem)
}

fn ends_consonant_vowel_consonant(stem: &[u8]) -> bool {
    if matches!(stem.last(), None | Some(b'w' | b'x' | b'y')) {
        return false;
    }
    let mut mask = 0_u8;
    let mut consonant = false;
    for &byte in stem {
        consonant = !is_vowel(byte, consonant);
        mask = ((mask << 1) | u8::from(consonant)) & 0b111;
    }
    mask == 0b101
}

fn has_vowel(stem: &[u8]) -> bool {
    stem.iter().enumerate().any(|(i, &byte)| is_vowel(byte, i > 0))
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stems_of_porters_paper() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("conflated", "conflat"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("relational", "relat"),
            ("generalization", "gener"),
            ("adoption", "adopt"),
            ("controlling", "control"),
            ("is", "is"),
        ] {
            assert_eq!(String::from_utf8(stem(word.as_bytes())).as_deref(), Ok(expected), "{word}");
        }
    }
}

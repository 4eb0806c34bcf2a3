//! The forms of a text that the rules read: one plain, and some with disguises taken off.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::invisible;

/// The forms of a text, the plain one first; disguises only add forms where they change something.
///
/// Plain: compatibility form, lower case, Latin letters without accents, no invisible characters, each
/// run of white space one space. Undisguised: digits and symbols that look like letters are letters
/// (`1` is tried as `i` and as `l`), and single separators between letters are gone.
pub(super) fn of(text: &str) -> Vec<String> {
    let base = base(text);
    let plain = collapse(&base);
    let mut known = BTreeSet::from([plain.clone()]);
    let mut forms = vec![plain];
    let ones: &[char] = if base.contains('1') { &['i', 'l'] } else { &['i'] };
    for one in ones {
        let form = collapse(&join_letters(&fold_look_alikes(&base, *one)));
        if known.insert(form.clone()) {
            forms.push(form);
        }
    }
    forms
}

fn base(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut base = String::with_capacity(text.len());
    let mut after_latin = false;
    for c in text.nfkd().filter(|c| !invisible::is_invisible(*c)) {
        if matches!(c, '\u{300}'..='\u{36f}') && after_latin {
            continue;
        }
        after_latin = c.is_ascii_alphabetic();
        base.extend(c.to_lowercase());
    }
    base.nfc().collect()
}

fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            collapsed.push(c);
        } else if !collapsed.ends_with(' ') {
            collapsed.push(' ');
        }
    }
    collapsed
}

fn fold_look_alikes(text: &str, one: char) -> String {
    text.chars()
        .map(|c| match c {
            '0' => 'o',
            '1' => one,
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => other,
        })
        .collect()
}

/// Takes out single separators between letters: `ig-nore` and `i g n o r e`.
fn join_letters(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let letter = |at: usize| chars.get(at).is_some_and(|c| c.is_alphabetic());
    let alone = |at: usize| letter(at) && !(at > 0 && letter(at - 1)) && !letter(at + 1);
    let mut joined = String::with_capacity(text.len());
    for (at, c) in chars.iter().enumerate() {
        let between = at > 0 && letter(at - 1) && letter(at + 1);
        let separates = match c {
            ' ' => between && alone(at - 1) && alone(at + 1),
            '-' | '.' | '_' | '*' | '\u{b7}' | '|' | '+' | '~' => between,
            _ => false,
        };
        if !separates {
            joined.push(*c);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_has_one_form() {
        assert_eq!(of("Hello  there\nfriend"), ["hello there friend"]);
    }

    #[test]
    fn accents_width_and_invisible_characters_do_not_hide_a_word() {
        assert_eq!(of("Pr\u{200b}\u{e9}c\u{e9}dentes \u{ff29}gnore"), ["precedentes ignore"]);
    }

    #[test]
    fn scripts_whose_marks_are_letters_keep_them() {
        assert_eq!(of("\u{439} \u{d55c}\u{ad6d}"), ["\u{439} \u{d55c}\u{ad6d}"]);
    }

    #[test]
    fn look_alikes_are_letters_in_the_second_form() {
        assert_eq!(of("1gn0re r3veal"), ["1gn0re r3veal", "ignore reveal", "lgnore reveal"]);
        assert_eq!(of("p4$$ 7he"), ["p4$$ 7he", "pass the"]);
    }

    #[test]
    fn separated_letters_are_joined_and_words_stay_apart() {
        assert_eq!(of("i g n o r e  a l l"), ["i g n o r e a l l", "ignore all"]);
        assert_eq!(of("ig-no.re a b"), ["ig-no.re a b", "ignore ab"]);
        assert_eq!(of("I am a boy"), ["i am a boy"]);
    }
}

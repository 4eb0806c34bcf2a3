//! What a character means to the search form.

use unicode_normalization::char::is_combining_mark;

use super::tokens::is_word_char;

/// Class of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// White space.
    Blank,
    /// Invisible or optional: left out, so that it cannot hide a word.
    Ignored,
    /// Of a script that writes words without spaces between them.
    Unspaced,
    /// A vowel sign or tone mark that the index would split its word at.
    Sign,
    /// Emoji, currency, arrows and other symbols: a word of their own.
    Symbol,
    /// Letter or digit.
    Word,
    /// Parts words.
    Other,
}

/// The class of a character.
pub(super) fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            _ if c.is_ascii_alphanumeric() => Class::Word,
            _ if c.is_ascii_whitespace() || c == '\u{b}' => Class::Blank,
            _ => Class::Other,
        };
    }
    if c.is_whitespace() {
        return Class::Blank;
    }
    if is_ignored(c) {
        return Class::Ignored;
    }
    if is_symbol(c) {
        return Class::Symbol;
    }
    if is_combining_mark(c) {
        return if is_optional_mark(c) { Class::Ignored } else { Class::Sign };
    }
    if is_unspaced(c) {
        return Class::Unspaced;
    }
    if is_word_char(c) { Class::Word } else { Class::Other }
}

/// A character that the index takes as a letter, standing for one that it would drop.
///
/// The basic plane maps to plane 15, emoji behind it; anything else stays as it is.
pub(super) fn word_form(c: char) -> char {
    let code = match u32::from(c) {
        code @ 0..=0xFFFD => 0xF_0000 + code,
        code @ 0x1_F000..=0x1_FFFF => 0xF_E000 + (code - 0x1_F000),
        code => code,
    };
    char::from_u32(code).unwrap_or(c)
}

/// Format characters, variation selectors, joiners, skin tones, elongation.
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{640}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Accents left over after composition, Hebrew points, Arabic and Syriac vowel signs: people write
/// the same word with and without them.
fn is_optional_mark(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}' | '\u{711}' | '\u{730}'..='\u{74a}'
            | '\u{8d3}'..='\u{8ff}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}' | '\u{fe20}'..='\u{fe2f}'
    )
}

fn is_symbol(c: char) -> bool {
    matches!(
        c,
        '\u{a2}'..='\u{a7}' | '\u{a9}' | '\u{ac}' | '\u{ae}' | '\u{b0}' | '\u{b1}' | '\u{b6}' | '\u{d7}' | '\u{f7}'
            | '\u{2020}' | '\u{2021}' | '\u{2030}'..='\u{2031}' | '\u{203b}' | '\u{203c}' | '\u{2049}'
            | '\u{20a0}'..='\u{20cf}' | '\u{2116}' | '\u{2117}' | '\u{211e}'..='\u{2123}' | '\u{2139}'
            | '\u{2190}'..='\u{245f}' | '\u{249c}'..='\u{24e9}' | '\u{2500}'..='\u{2767}'
            | '\u{2794}'..='\u{2982}' | '\u{2999}'..='\u{2bff}' | '\u{3012}' | '\u{3013}' | '\u{3020}'
            | '\u{3036}' | '\u{3200}'..='\u{32ff}' | '\u{1f000}'..='\u{1faff}'
    )
}

/// Han, Kana, Bopomofo, Hangul, Yi, Thai, Lao, Tibetan, Myanmar, Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{e01}'..='\u{e30}' | '\u{e32}' | '\u{e33}' | '\u{e40}'..='\u{e46}'
            | '\u{e81}'..='\u{eb0}' | '\u{eb2}' | '\u{eb3}' | '\u{ebd}'..='\u{ec6}' | '\u{edc}'..='\u{edf}'
            | '\u{f40}'..='\u{f6c}' | '\u{f88}'..='\u{f8c}'
            | '\u{1000}'..='\u{102a}' | '\u{103f}' | '\u{1050}'..='\u{1055}' | '\u{105a}'..='\u{105d}'
            | '\u{1061}' | '\u{1065}' | '\u{1066}' | '\u{106e}'..='\u{1070}' | '\u{1075}'..='\u{1081}'
            | '\u{108e}' | '\u{1780}'..='\u{17b3}' | '\u{17d7}' | '\u{17dc}'
            | '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{2fd5}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{3035}' | '\u{3038}'..='\u{303c}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
            | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3105}'..='\u{312f}' | '\u{3131}'..='\u{318e}'
            | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{a000}'..='\u{a48c}' | '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7fb}' | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}' | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}'
    )
}

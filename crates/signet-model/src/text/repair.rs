//! Repair of what a text cannot hold: NUL, and surrogates without their other half.
//!
//! JSON may spell half a surrogate pair (`"\ud800"`), which no Rust string can hold. [`json_body`]
//! rewrites such an escape to `\u0000` before the body is parsed, and [`text`] turns every NUL into
//! U+FFFD. One rule thus catches both, field by field, and says that it did.

use std::borrow::Cow;

/// What stands where something unreadable stood.
const REPLACEMENT: &str = "\u{fffd}";

/// The text with every NUL replaced; borrowed when there was none.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', REPLACEMENT)) } else { Cow::Borrowed(text) }
}

/// A JSON body in which every `\u` escape of half a surrogate pair is `\u0000`, of the same length;
/// borrowed when there was none. Anything else, broken JSON included, stays as it is.
pub fn json_body(body: &[u8]) -> Cow<'_, [u8]> {
    let mut repaired: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(step) = body[at..].iter().position(|byte| *byte == b'\\') {
        let escape = at + step;
        at = match unit(body, escape) {
            None => (escape + 2).min(body.len()),
            Some(0xd800..=0xdbff) if matches!(unit(body, escape + 6), Some(0xdc00..=0xdfff)) => escape + 12,
            Some(0xd800..=0xdfff) => {
                let copy = repaired.get_or_insert_with(|| body.to_vec());
                copy[escape + 2..escape + 6].copy_from_slice(b"0000");
                escape + 6
            }
            Some(_) => escape + 6,
        };
    }
    repaired.map_or(Cow::Borrowed(body), Cow::Owned)
}

/// The UTF-16 unit of a `\uXXXX` escape that starts at `at`.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let escape = body.get(at..at + 6)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&json_body(body.as_bytes())), expected, "{body}");
    }

    #[test]
    fn half_pairs_become_nul_and_whole_pairs_stay() {
        check(r#"{"a":"x\ud800y"}"#, r#"{"a":"x\u0000y"}"#);
        check(r#"{"a":"\udc00\uD800"}"#, r#"{"a":"\u0000\u0000"}"#);
        check(r#"{"a":"\ud800\ud83d\ude00"}"#, r#"{"a":"\u0000\ud83d\ude00"}"#);
        check(r#"{"a":"\uD83D\uDE00"}"#, r#"{"a":"\uD83D\uDE00"}"#);
        check(r#"{"a":"\\ud800"}"#, r#"{"a":"\\ud800"}"#);
        check(r#"{"a":"\\\ud800"}"#, r#"{"a":"\\\u0000"}"#);
        check(r#"{"a":"\ud8"#, r#"{"a":"\ud8"#);
        check("{\"a\":\"\\", "{\"a\":\"\\");
    }

    #[test]
    fn nul_becomes_the_replacement_character() {
        assert_eq!(text("a\0b"), "a\u{fffd}b");
        assert!(matches!(text("plain"), Cow::Borrowed("plain")));
    }

    proptest::proptest! {
        #[test]
        fn json_of_any_text_stays_as_it_is(body in "\\PC{0,80}") {
            let plain = body.replace('\\', "/");
            let kept = json_body(plain.as_bytes());
            proptest::prop_assert_eq!(kept.as_ref(), plain.as_bytes());
        }

        #[test]
        fn any_bytes_are_survived(body in proptest::collection::vec(proptest::num::u8::ANY, 0..80)) {
            proptest::prop_assert_eq!(json_body(&body).len(), body.len());
        }
    }
}

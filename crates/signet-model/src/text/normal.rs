//! Storage form, normalised form and content hash.

use sha2::{Digest, Sha256};

/// White space of the normalisation rule. U+FEFF is in, U+0085 is out.
pub const fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}'
            | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// Line ends become LF, then white space at both ends goes. Inner line breaks stay.
pub fn storage_text(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_matches(is_blank).to_owned()
}

/// Lower-cased storage text with single spaces and without closing punctuation.
pub fn normalized(storage: &str) -> String {
    let lower = storage.to_lowercase();
    let joined = lower.split(is_blank).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    joined.trim_end_matches(['.', ',', '!', '?', ';', ':']).trim_matches(is_blank).to_owned()
}

/// Lower-case hex SHA-256 of the normalised text, or of the lower-cased storage text when that is empty.
pub fn content_hash(storage: &str) -> String {
    let normal = normalized(storage);
    let basis = if normal.is_empty() { storage.to_lowercase() } else { normal };
    hex(&Sha256::digest(basis.as_bytes()))
}

/// Lower-case hex of bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_worked_out_by_hand() {
        let hash = |text: &str| content_hash(&storage_text(text));
        for (text, expected) in [
            (
                "User prefers vim keybindings.",
                "1ca5c2144040ff49493d35c0ada972e9a96d71abc5f8f1bf61542e44d2047677",
            ),
            (
                "  user  PREFERS\r\n\tvim keybindings !!",
                "1ca5c2144040ff49493d35c0ada972e9a96d71abc5f8f1bf61542e44d2047677",
            ),
            (
                "deploys run on friday.,;:!?",
                "6a6a40363b8257543a624354ff47fb2a170eb387f70bb80fdb41218c3957cffd",
            ),
            ("...", "ab5df625bc76dbd4e163bed2dd888df828f90159bb93556525c31821b6541d46"),
            ("Grüße aus ΟΔΟΣ", "aa901d0973e496c66563e42a1106c6af44e7ce6c626d1e2238db96b39c56048f"),
            ("a\u{a0}b\u{feff}", "c8687a08aa5d6ed2044328fa6a697ab8e96dc34291e8c2034ae8c38e6fcc6d65"),
            ("line one\r\nline two", "e490ed577595f61675761642aa202c2f1f59ef292f58c24fe0b431b05eeb86ec"),
            ("C++; std::move:", "e3e526f1a84b7b9de679dea7e39eba5f3484de00c579c94f449d91180450d591"),
        ] {
            assert_eq!(hash(text), expected, "{text:?}");
        }
    }
}

//! Which writing systems a text uses: texts of different ones cannot share a word.

/// A set of writing systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scripts(u8);

impl Scripts {
    /// Whether both texts use one of the same.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The writing systems of the letters of a text.
pub(super) fn of(text: &str) -> Scripts {
    Scripts(text.chars().fold(0, |set, c| set | bit(c)))
}

fn bit(c: char) -> u8 {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => 1,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => 2,
        '\u{400}'..='\u{52f}' => 4,
        '\u{590}'..='\u{8ff}' => 8,
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7ff}' => 64,
        '\u{900}'..='\u{1cff}' => 16,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => 32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn texts_meet_in_a_script_they_share() {
        assert!(of("port 8080").meets(of("Der Port")));
        assert!(!of("порт").meets(of("port")));
        assert!(of("порт USB").meets(of("port")));
        assert!(!of("12 !").meets(of("port")));
    }
}
